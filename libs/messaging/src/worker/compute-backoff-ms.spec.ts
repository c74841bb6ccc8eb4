import { SeededRng } from '@annals/domain';
import fc from 'fast-check';
import { computeBackoffMs } from './job-worker.js';

const backoff = { type: 'exponential', delayMs: 2_000, jitter: 0.5 } as const;

function createRng(value: number): SeededRng {
  const rng = new SeededRng(1);
  rng.setSequence([value]);
  return rng;
}

describe('computeBackoffMs', () => {
  it('doubles from one attempt to the next', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => computeBackoffMs(backoff, attempt, undefined, createRng(0)));
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
  });

  it('randomizes the share of jitter and no more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, chance) => {
          const maxMs = computeBackoffMs(backoff, attempt, undefined, createRng(0));
          const delay = computeBackoffMs(backoff, attempt, undefined, createRng(chance));
          expect(delay).toBeLessThanOrEqual(maxMs);
          expect(delay).toBeGreaterThanOrEqual(maxMs / 2);
        },
      ),
    );
  });

  it('is never shorter than retryAfterMs', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, retryAfterMs, chance) => {
          const delay = computeBackoffMs(backoff, attempt, retryAfterMs, createRng(chance));
          expect(delay).toBeGreaterThanOrEqual(retryAfterMs);
        },
      ),
    );
  });
});
