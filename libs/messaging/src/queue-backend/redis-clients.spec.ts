import { SeededRng } from '@annals/domain';
import fc from 'fast-check';
import { computeReconnectDelayMs } from './redis-clients.js';

describe('computeReconnectDelayMs', () => {
  it('starts with a short delay and never exceeds two seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer(), (attempt, seed) => {
        const delayMs = computeReconnectDelayMs(attempt, new SeededRng(seed));
        expect(delayMs).toBeGreaterThanOrEqual(25);
        expect(delayMs).toBeLessThanOrEqual(2_000);
      }),
    );
    expect(computeReconnectDelayMs(1, new SeededRng(1))).toBeLessThanOrEqual(50);
  });
});
