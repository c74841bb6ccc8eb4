/** What the numbers of a server mean: already 0–1, raw logits, or to be told from the answer. */
export const SCORE_SCALES = ['auto', 'probability', 'logit'] as const;
export type ScoreScale = (typeof SCORE_SCALES)[number];

/** The relevance that a raw logit stands for (docs/reference/recall.md#reranking). */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Scores of one answer on the scale 0–1. `auto` takes an answer with any number outside 0–1 for logits; a server whose
 * logits may all fall inside needs `logit`. What is outside although it was said to be 0–1 is cut to it.
 */
export function toProbabilities(scores: readonly number[], scale: ScoreScale): number[] {
  const isLogit = scale === 'logit' || (scale === 'auto' && scores.some((score) => score < 0 || score > 1));
  return scores.map((score) => (isLogit ? sigmoid(score) : Math.min(1, Math.max(0, score))));
}
