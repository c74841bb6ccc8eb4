/** Every weight of the ranking (design: each is a variable `ANNALS_RECALL_*`). */
export interface RecallWeights {
  /** Share of time in the score, 0–1 (AGT §3.3 `recency_weight`). */
  readonly recency: number;
  /** Days after which recency has fallen to 1/e (AGT §3.3). */
  readonly recencyDays: number;
  /** What importance 5 adds over importance 1. */
  readonly importance: number;
  /** What an edge of strength 1 to another candidate adds (SYS §2 `w_rel`). */
  readonly relation: number;
  /** Factor of an insight's relevance (SYS §3: "low weight"). */
  readonly insight: number;
  /** Factor of a turn whose facts were superseded (decision 28). */
  readonly superseded: number;
  /** Share of relevance against sameness when answers are picked, 0–1 (AGT §3.4 `mmr_lambda`). */
  readonly mmrLambda: number;
  /** Least reranker score, 0–1 on the reranker's own scale (AGT §3.2 `score_threshold`). */
  readonly rerankThreshold: number;
  /** Most tokens of one turn that are returned; a longer one is cut to its best sentences. */
  readonly turnTokens: number;
}

/** The specifications' values where they name one, else measured (decision record 0020). */
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
