/** All weights of the ranking; each is set by a variable `ANNALS_RECALL_*`. */
export interface RecallWeights {
  /** Weight of recency in the score, 0–1 (docs/reference/recall.md#recency). */
  readonly recency: number;
  /** Days after which recency has fallen to 1/e (docs/reference/recall.md#recency). */
  readonly recencyDays: number;
  /** What importance 5 adds over importance 1. */
  readonly importance: number;
  /** What a relation of strength 1 to another candidate adds (docs/reference/recall.md#relation-boost). */
  readonly relation: number;
  /** Factor of an insight's relevance (docs/reference/memory-model.md#insights-rank-low). */
  readonly insight: number;
  /** Factor of a turn whose facts were superseded (docs/reference/recall.md#superseded-turns-rank-lower). */
  readonly superseded: number;
  /** Weight of relevance against diversity in the selection, 0–1 (docs/reference/recall.md#diversity-by-mmr). */
  readonly mmrLambda: number;
  /** Minimum reranker score, 0–1 on the reranker's own scale (docs/reference/recall.md#rerank-threshold). */
  readonly rerankThreshold: number;
  /** Maximum tokens of one turn in a result; a longer one is cut to its best sentences. */
  readonly turnTokens: number;
}
