import fc from 'fast-check';
import { planBatches } from './plan-batches.js';

describe('planBatches', () => {
  it('lets a short post join the open batch and leaves it open', () => {
    expect(planBatches(3, { id: 'b', messageCount: 10 }, 50, false)).toEqual([
      { openBatchId: 'b', take: 3, sealed: false },
    ]);
  });

  it('seals the open batch when it is full and begins the next', () => {
    expect(planBatches(5, { id: 'b', messageCount: 48 }, 50, false)).toEqual([
      { openBatchId: 'b', take: 2, sealed: true },
      { openBatchId: null, take: 3, sealed: false },
    ]);
  });

  it('seals the last batch when there is no window', () => {
    expect(planBatches(1, null, 50, true)).toEqual([{ openBatchId: null, take: 1, sealed: true }]);
  });

  it('assigns every message once, fills all batches but the last, and exceeds no limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.option(fc.integer({ min: 1, max: 49 }), { nil: null }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        (count, openCount, max, sealLast) => {
          const open = openCount === null ? null : { id: 'b', messageCount: Math.min(openCount, max) };
          const shares = planBatches(count, open, max, sealLast);
          expect(shares.reduce((sum, share) => sum + share.take, 0)).toBe(count);
          for (const [index, share] of shares.entries()) {
            const size = share.take + (share.openBatchId ? open!.messageCount : 0);
            expect(share.take).toBeGreaterThan(0);
            expect(size).toBeLessThanOrEqual(max);
            const last = index === shares.length - 1;
            expect(share.sealed).toBe(size === max || (last && sealLast));
            if (!last) expect(size).toBe(max);
          }
        },
      ),
    );
  });
});
