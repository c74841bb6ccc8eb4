/** Scale of the scores of a server: probabilities 0–1, raw logits, or detected per answer (`auto`). */
export const SCORE_SCALES = ['auto', 'probability', 'logit'] as const;
export type ScoreScale = (typeof SCORE_SCALES)[number];

/** Converts a raw logit to a relevance 0–1 (docs/reference/recall.md#reranking). */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Converts the scores of one answer to 0–1. With `auto`, an answer with any score outside 0–1 is treated as logits; a
 * server whose logits may all be inside needs `logit`. With `probability`, scores outside 0–1 are clamped.
 */
export function toProbabilities(scores: readonly number[], scale: ScoreScale): number[] {
  const isLogit = scale === 'logit' || (scale === 'auto' && scores.some((score) => score < 0 || score > 1));
  return scores.map((score) => (isLogit ? sigmoid(score) : Math.min(1, Math.max(0, score))));
}
