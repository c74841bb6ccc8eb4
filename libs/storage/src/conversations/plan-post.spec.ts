import { findNewMessages, MessageConflictError, planBatches } from './plan-post.js';

const message = (externalId: string | null, words: string) => ({ externalId, contentHmac: Buffer.from(words) });

describe('findNewMessages', () => {
  it('treats messages without id as new, even with the same text', () => {
    expect(findNewMessages([message(null, 'a'), message(null, 'a')], new Map())).toHaveLength(2);
  });

  it('skips a stored id with the same text and an id repeated in the post', () => {
    const stored = new Map([['m1', Buffer.from('a')]]);
    const newMessages = findNewMessages([message('m1', 'a'), message('m2', 'b'), message('m2', 'b')], stored);
    expect(newMessages.map((m) => m.externalId)).toEqual(['m2']);
  });

  it('returns the index of a message whose id was used with different text', () => {
    const stored = new Map([['m1', Buffer.from('a')]]);
    const attempt = (messages: ReturnType<typeof message>[]) => {
      try {
        findNewMessages(messages, stored);
        return 'no conflict';
      } catch (error) {
        return (error as MessageConflictError).index;
      }
    };
    expect(attempt([message('m0', 'x'), message('m1', 'other')])).toBe(1);
    expect(attempt([message('m2', 'x'), message(null, 'y'), message('m2', 'z')])).toBe(2);
  });

  it('recognises a message that was stored under another key that is accepted', () => {
    const stored = new Map([['m1', Buffer.from('a under the former key')]]);
    const repeated = {
      ...message('m1', 'a'),
      acceptedHmacs: [Buffer.from('x'), Buffer.from('a under the former key')],
    };
    expect(findNewMessages([repeated], stored)).toEqual([]);
    expect(() => findNewMessages([{ ...repeated, acceptedHmacs: [] }], stored)).toThrow(MessageConflictError);
  });

  it('accepts any text for an id whose HMAC was erased', () => {
    expect(findNewMessages([message('m1', 'other')], new Map([['m1', null]]))).toEqual([]);
  });
});

import fc from 'fast-check';

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
