import fc from 'fast-check';
import { SeededRng } from '../determinism/rng.js';
import { computeRetryDelayMs } from './compute-retry-delay.js';

describe('computeRetryDelayMs', () => {
  it('doubles from one retry to the next, up to its cap', () => {
    const delays = (maxMs?: number) =>
      [0, 1, 2, 3, 4].map((retry) => computeRetryDelayMs({ firstMs: 50, ...(maxMs && { maxMs }) }, retry));
    expect(delays()).toEqual([50, 100, 200, 400, 800]);
    expect(delays(300)).toEqual([50, 100, 200, 300, 300]);
  });

  it('subtracts the share of jitter and no more, for any retry and random number', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 5_000 }), share, share, (retry, maxMs, jitter, chance) => {
        const backoff = { firstMs: 50, maxMs, jitter };
        const longestMs = computeRetryDelayMs(backoff, retry);
        const delayMs = computeRetryDelayMs(backoff, retry, { nextFloat: () => chance });
        expect(Number.isFinite(delayMs)).toBe(true);
        expect(delayMs).toBeLessThanOrEqual(longestMs);
        expect(delayMs).toBeGreaterThanOrEqual(longestMs * (1 - jitter) - 1e-9);
      }),
    );
  });

  it('returns the same delays for the same seed, and others for another', () => {
    const delays = (seed: number) => {
      const rng = new SeededRng(seed);
      return [0, 1, 2, 3].map((retry) => computeRetryDelayMs({ firstMs: 1_000, jitter: 0.5 }, retry, rng));
    };
    expect(delays(1)).toEqual(delays(1));
    expect(delays(1)).not.toEqual(delays(2));
  });
});
