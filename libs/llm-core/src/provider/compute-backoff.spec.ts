import { SeededRng } from '@annals/domain';
import fc from 'fast-check';
import { computeBackoffMs } from './llm-error.js';

const at = (nextFloat: number) => ({ nextFloat: () => nextFloat });
/** Random number that gives a jitter of exactly 0: index 200 of 401. */
const MIDDLE = 200.5 / 401;

describe('computeBackoffMs', () => {
  it.each([
    [0, 500],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 8_000],
    [40, 8_000],
    [5_000, 8_000],
  ])('delays retry %i by %i ms ± 200 ms', (attempt, delayMs) => {
    expect(computeBackoffMs(attempt, at(MIDDLE))).toBe(delayMs);
    expect(computeBackoffMs(attempt, at(0))).toBe(delayMs - 200);
    expect(computeBackoffMs(attempt, at(1 - Number.EPSILON / 2))).toBe(delayMs + 200);
  });

  it('returns the same delays for the same seed', () => {
    const rng = new SeededRng(42);
    expect([0, 1, 2, 3, 4, 5].map((attempt) => computeBackoffMs(attempt, rng))).toEqual([
      533, 1_008, 1_986, 4_111, 7_969, 7_813,
    ]);
  });

  it('stays within 200 ms of the exponential delay, in whole milliseconds, never below 0', () => {
    fc.assert(
      fc.property(fc.nat({ max: 100 }), fc.integer(), (attempt, seed) => {
        const waitMs = computeBackoffMs(attempt, new SeededRng(seed));
        expect(Number.isInteger(waitMs) && waitMs >= 0).toBe(true);
        expect(Math.abs(waitMs - Math.min(500 * 2 ** attempt, 8_000))).toBeLessThanOrEqual(200);
      }),
    );
  });
});
