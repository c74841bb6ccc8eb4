import type { BillingContext } from '../embeddings/embedding-provider.js';

/** A query and the documents to score against it. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
}

export interface RerankUsage {
  readonly inputTokens: number;
  /** Present (true) only if the server reported no count. */
  readonly estimated?: true;
  /** Integer micro-USD. */
  readonly costMicroUsd: number;
}

export interface RerankAnswer {
  /** Relevance of each document to the query, 0–1, in the order of the documents. */
  readonly scores: readonly number[];
  readonly usage: RerankUsage;
}

export interface RerankOptions {
  readonly signal: AbortSignal;
  /** Required where calls are metered; not used by rerankers themselves. */
  readonly billingContext?: BillingContext;
}

/**
 * A cross-encoder: scores query and document together (docs/reference/recall.md#reranking). Failures are `LLMError`s;
 * an aborted signal ends a call with its reason. Scores of different rerankers are not comparable, so each needs its
 * own threshold.
 */
export interface Reranker {
  /** Provider name in the ledger, circuit breaker and rate limiter; `onnx` runs inside the process. */
  readonly name: 'rerank' | 'onnx';
  readonly model: string;
  /** Loads the model once; a service calls it at startup. @throws Error that says what is missing */
  load?(): Promise<void>;
  rerank(request: RerankRequest, options: RerankOptions): Promise<RerankAnswer>;
  /** In integer micro-USD (docs/reference/budgets.md#upper-bound-of-a-call); 0 if it is free. */
  estimateMaxCost(request: RerankRequest): number;
}

/** A quarter of the characters (docs/reference/model-calls.md#token-counts-and-estimates). */
export function estimateRerankTokens({ query, documents }: RerankRequest): number {
  return documents.reduce((total, text) => total + Math.ceil((query.length + text.length) / 4), 0);
}

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
