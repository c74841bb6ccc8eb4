import type { CosineProfile, DroppedCandidate, RecallCandidate, ScoredCandidate } from './types.js';

/** The relevance of each candidate, 0–1, by its vector and its words; in the order of `candidates`. */
export function scoreRelevance(
  candidates: readonly RecallCandidate[],
  { profile }: { readonly profile: CosineProfile },
): ScoredCandidate[] {
  return candidates.map((candidate) => {
    const vector = candidate.cosine === null ? 0 : calibrateCosine(candidate.cosine, profile);
    const lexical = calibrateLexical(candidate.lexical, candidate.lexicalCeiling);
    return { candidate, relevance: fuseRelevance(vector, lexical), vector, lexical, rerank: null };
  });
}

/**
 * Replaces the relevance by the reranker's score (0–1, sigmoid of its logit; by candidate id). A candidate that scores
 * below `threshold` is dropped (docs/reference/recall.md#rerank-threshold). One without a score is dropped as well,
 * since only the best candidates were reranked.
 */
export function applyRerank(
  scored: readonly ScoredCandidate[],
  scores: ReadonlyMap<string, number>,
  { threshold }: { readonly threshold: number },
): { scored: ScoredCandidate[]; dropped: DroppedCandidate[] } {
  const kept: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  for (const entry of scored) {
    const rerank = scores.get(entry.candidate.id);
    if (rerank !== undefined && rerank >= threshold) kept.push({ ...entry, relevance: rerank, rerank });
    else dropped.push({ id: entry.candidate.id, kind: entry.candidate.kind, why: 'rerank' });
  }
  return { scored: kept, dropped };
}

// A quarter of the ceiling, which is half of the query's weight matched once, gives 0.63; all of it matched once 0.86.
// Queries contain words that matching texts do not repeat.
const LEXICAL_GAIN = 4;
// Share of the noisy-or that is used: the two signals are computed from the same words, so only partly independent.
const INDEPENDENCE = 0.5;

/**
 * A relevance of 0 to 1 (docs/reference/recall.md#calibrated-relevance). `ceiling` is the score of a unit that is full
 * of every term of the query: so one threshold fits all queries, however many or rare their terms are.
 */
export function calibrateLexical(score: number, ceiling: number): number {
  if (!(score > 0) || !(ceiling > 0)) return 0;
  return 1 - Math.exp((-LEXICAL_GAIN * score) / ceiling);
}

/** Converts a cosine to a relevance of 0 to 1, linear between the profile's `unrelated` and `same`, times `trust`. */
export function calibrateCosine(cosine: number, { unrelated, same, trust = 1 }: CosineProfile): number {
  return clampUnit((cosine - unrelated) / (same - unrelated)) * trust;
}

/**
 * The larger, raised half-way towards the probabilistic or, 1-(1-v)(1-l). The plain or assumes independent signals and
 * would raise two weak hits on one common word over a threshold. A missing signal changes nothing, so a degraded
 * response has the same scale.
 */
export function fuseRelevance(vector: number, lexical: number): number {
  const v = clampUnit(vector);
  const l = clampUnit(lexical);
  const larger = Math.max(v, l);
  return Math.min(1, larger + INDEPENDENCE * (1 - larger) * Math.min(v, l));
}

/** Clamps a value to 0–1; NaN becomes 0. */
function clampUnit(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}
