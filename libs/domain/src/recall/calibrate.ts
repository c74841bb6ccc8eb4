import type { CosineProfile } from './types.js';

// A quarter of the ceiling, which is half of the query's weight met once, gives 0.63; all of it met once 0.86.
// Questions hold words their answers do not repeat.
const LEXICAL_GAIN = 4;
// Share of the noisy-or that is taken: the two signals read the same words and are only partly independent.
const INDEPENDENCE = 0.5;

/**
 * Turns a lexical score into a relevance of 0 to 1. `ceiling` is what a unit that is full of every term of the query
 * would score. So the result does not depend on how many or how rare the terms are, and one threshold fits all
 * questions (docs/reference/recall.md#calibrated-relevance).
 */
export function calibrateLexical(score: number, ceiling: number): number {
  if (!(score > 0) || !(ceiling > 0)) return 0;
  return 1 - Math.exp((-LEXICAL_GAIN * score) / ceiling);
}

/** Turns a cosine into a relevance of 0 to 1, linear between the profile's two marks, as far as it is trusted. */
export function calibrateCosine(cosine: number, { unrelated, same, trust = 1 }: CosineProfile): number {
  return clampUnit((cosine - unrelated) / (same - unrelated)) * trust;
}

/**
 * One relevance out of two: the larger, raised half-way towards the probabilistic or, 1-(1-v)(1-l). The plain or takes
 * the signals for independent, which would lift two weak hits on the same common word over a threshold; the maximum
 * alone would not tell a hit of both kinds from one of either. Rises with each input, never falls below the larger
 * nor rises above 1, and a missing signal changes nothing (so a degraded answer keeps its scale).
 */
export function fuseRelevance(vector: number, lexical: number): number {
  const v = clampUnit(vector);
  const l = clampUnit(lexical);
  const larger = Math.max(v, l);
  return Math.min(1, larger + INDEPENDENCE * (1 - larger) * Math.min(v, l));
}

/** Into 0 to 1; what is not a number is 0. */
export function clampUnit(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}
