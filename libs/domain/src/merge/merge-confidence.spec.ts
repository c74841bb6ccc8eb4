import fc from 'fast-check';
import { mergeConfidence, mergeConfidences } from './merge-confidence.js';

const sixDecimals = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value / 1_000_000);
const anything = fc.oneof(fc.double(), fc.constant(undefined), fc.constant(null));

describe('mergeConfidence', () => {
  it.each([
    [0.8, 0.6, 0.685714],
    [0.8, 0.7, 0.746667],
    [0.7, 0.6, 0.646154],
    [1, 0.1, 0.181818],
    [0.5, 0.5, 0.5],
    [0.9, 0.9, 0.9],
    [0, 0, 0],
    [1, 1, 1],
    [0, 1, 0],
    [undefined, 0.7, 0.583333],
    [null, undefined, 0.5],
    [-1, 0.5, 0],
    [2, 0.5, 0.666667],
    [Number.NaN, 0.5, 0.5],
  ])('merges %j and %j to %j', (base, provider, merged) => {
    expect(mergeConfidence(base, provider)).toBe(merged);
  });

  it('uses the given default for missing values', () => {
    expect(mergeConfidence(undefined, 0.8, 0.2)).toBe(0.32);
  });

  it('stays in [0, 1] with at most 6 decimals for every input', () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const merged = mergeConfidence(a, b);
        expect(merged >= 0 && merged <= 1).toBe(true);
        expect(Number(merged.toFixed(6))).toBe(merged);
      }),
    );
  });

  it('is symmetric', () => {
    fc.assert(fc.property(anything, anything, (a, b) => mergeConfidence(a, b) === mergeConfidence(b, a)));
  });

  it('is between two values of 6 decimals', () => {
    fc.assert(
      fc.property(sixDecimals, sixDecimals, (a, b) => {
        const merged = mergeConfidence(a, b);
        expect(merged).toBeLessThanOrEqual(Math.max(a, b));
        expect(merged).toBeGreaterThanOrEqual(Math.min(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  it('never falls when one side rises', () => {
    fc.assert(
      fc.property(sixDecimals, sixDecimals, sixDecimals, (a, b, c) => {
        expect(mergeConfidence(Math.max(a, b), c)).toBeGreaterThanOrEqual(mergeConfidence(Math.min(a, b), c));
      }),
    );
  });
});

describe('mergeConfidences', () => {
  it('merges pairwise with rounding in between', () => {
    expect(mergeConfidences([0.8, 0.6, 0.7])).toBe(0.692783);
  });

  it('returns the default for an empty list and the value itself for one value', () => {
    expect(mergeConfidences([])).toBe(0.5);
    expect(mergeConfidences([1.5])).toBe(1);
    expect(mergeConfidences([0.12345678])).toBe(0.123457);
  });

  it('equals mergeConfidence for two values of 6 decimals', () => {
    fc.assert(fc.property(sixDecimals, sixDecimals, (a, b) => mergeConfidences([a, b]) === mergeConfidence(a, b)));
  });
});
