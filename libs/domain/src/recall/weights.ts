/** Every weight of the ranking (design: each is a variable `ANNALS_RECALL_*`). */
export interface RecallWeights {
  /** Share of time in the score, 0–1 (docs/reference/recall.md#recency). */
  readonly recency: number;
  /** Days after which recency has fallen to 1/e (docs/reference/recall.md#recency). */
  readonly recencyDays: number;
  /** What importance 5 adds over importance 1. */
  readonly importance: number;
  /** What an edge of strength 1 to another candidate adds (docs/reference/recall.md#relation-boost). */
  readonly relation: number;
  /** Factor of an insight's relevance (docs/reference/memory-model.md#insights-rank-low). */
  readonly insight: number;
  /** Factor of a turn whose facts were superseded (docs/reference/recall.md#superseded-turns-rank-lower). */
  readonly superseded: number;
  /** Share of relevance against sameness when answers are picked, 0–1 (docs/reference/recall.md#diversity-by-mmr). */
  readonly mmrLambda: number;
  /** Least reranker score, 0–1 on the reranker's own scale (docs/reference/recall.md#rerank-threshold). */
  readonly rerankThreshold: number;
  /** Most tokens of one turn that are returned; a longer one is cut to its best sentences. */
  readonly turnTokens: number;
}

/** Documented in docs/reference/recall.md; chosen by measurement (decision record 0020). */
export const DEFAULT_RECALL_WEIGHTS: RecallWeights = {
  recency: 0.2,
  recencyDays: 30,
  importance: 0.05,
  relation: 0.05,
  insight: 0.5,
  superseded: 0.5,
  mmrLambda: 0.7,
  rerankThreshold: 0.35,
  turnTokens: 120,
};
