import type { DroppedCandidate, ScoredCandidate } from './types.js';

/** The candidates that a reranker retained and dropped. */
export interface RerankedCandidates {
  readonly scored: ScoredCandidate[];
  readonly dropped: DroppedCandidate[];
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
): RerankedCandidates {
  const kept: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  for (const entry of scored) {
    const rerank = scores.get(entry.candidate.id);
    if (rerank !== undefined && rerank >= threshold) kept.push({ ...entry, relevance: rerank, rerank });
    else dropped.push({ id: entry.candidate.id, kind: entry.candidate.kind, why: 'rerank' });
  }
  return { scored: kept, dropped };
}
