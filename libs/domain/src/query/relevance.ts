import type { CosineProfile } from '../recall/types.js';

// One half of the query's weight met gives 0.63, all of it 0.86; questions hold words their answers do not repeat.
const LEXICAL_GAIN = 2;
// Share of the noisy-or that is taken: the two signals read the same words and are only partly independent.
const INDEPENDENCE = 0.5;

/**
 * Turns a BM25 score into a relevance of 0 to 1. `queryWeight` is the sum of the idf of all query terms: what a
 * document of average length scores that has each of them once. So the result does not depend on how many or how rare
 * the query's terms are, and one threshold fits all queries (decision 45).
 */
export function calibrateLexical(score: number, queryWeight: number): number {
  if (!(score > 0) || !(queryWeight > 0)) return 0;
  return 1 - Math.exp((-LEXICAL_GAIN * score) / queryWeight);
}

/** Turns a cosine into a relevance of 0 to 1, linear between the profile's two marks. */
export function calibrateCosine(cosine: number, profile: CosineProfile): number {
  const share = (cosine - profile.unrelated) / (profile.same - profile.unrelated);
  return Number.isNaN(share) ? 0 : Math.max(0, Math.min(1, share));
}

/**
 * One relevance out of two: the larger, raised half-way towards the probabilistic or, 1-(1-v)(1-l). The plain or takes
 * the signals for independent, which would lift two weak hits on the same common word over a threshold; the maximum
 * alone would not tell a hit of both kinds from one of either. Rises with each input, never falls below the larger
 * nor rises above 1, and a missing signal changes nothing (so a degraded answer keeps its scale).
 */
export function fuseRelevance(vector: number | undefined, lexical: number | undefined): number {
  const v = clampUnit(vector);
  const l = clampUnit(lexical);
  const larger = Math.max(v, l);
  return Math.min(1, larger + INDEPENDENCE * (1 - larger) * Math.min(v, l));
}

function clampUnit(value: number | undefined): number {
  return value !== undefined && value > 0 ? Math.min(1, value) : 0;
}
