import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import fc from 'fast-check';
import { rankAt } from './postgres-work-store.js';

const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });

describe('rankAt', () => {
  it('is never later than the due time', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom('interactive' as const, 'bulk' as const), (at, priority) => {
        expect(rankAt(at, priority).getTime()).toBeLessThanOrEqual(at);
      }),
    );
  });

  it('moves interactive work ahead of bulk work by the boost, and no further', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 10 * INTERACTIVE_PRIORITY_BOOST_MS }), (at, laterMs) => {
        const passes = rankAt(at + laterMs, 'interactive') < rankAt(at, 'bulk');
        expect(passes).toBe(laterMs < INTERACTIVE_PRIORITY_BOOST_MS);
      }),
    );
  });
});
