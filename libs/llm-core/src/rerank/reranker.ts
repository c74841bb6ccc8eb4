import type { BillingContext } from '../embeddings/embedding-provider.js';

/** A question, and the texts that may answer it. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
}

export interface RerankUsage {
  readonly inputTokens: number;
  /** Present (true) only when the server gave no count. */
  readonly estimated?: true;
  /** Integer micro-USD. */
  readonly costMicroUsd: number;
}

export interface RerankAnswer {
  /** How well each document answers, 0–1, in the order of the documents. */
  readonly scores: readonly number[];
  readonly usage: RerankUsage;
}

export interface RerankOptions {
  readonly signal: AbortSignal;
  /** Needed where calls are metered; rerankers themselves do not look at it. */
  readonly billingContext?: BillingContext;
}

/**
 * A cross-encoder: reads question and document together (docs/reference/recall.md#reranking). Failures are `LLMError`s;
 * an aborted signal ends a call with its reason. Scores of two rerankers are not comparable, so each has a threshold of
 * its own.
 */
export interface Reranker {
  /** What the ledger, circuits and rate limiters call the server; `onnx` runs inside the process. */
  readonly name: 'rerank' | 'onnx';
  readonly model: string;
  /** Loads what it needs, once; a service does so before it answers. @throws Error that says what is missing */
  load?(): Promise<void>;
  rerank(request: RerankRequest, options: RerankOptions): Promise<RerankAnswer>;
  /**
   * The most a call can cost (docs/reference/budgets.md#upper-bound-of-a-call), in whole micro-USD; 0 where it is free.
   */
  estimateMaxCost(request: RerankRequest): number;
}

/** A quarter of the characters where nobody counts (docs/reference/model-calls.md#token-counts-and-estimates). */
export function estimateRerankTokens({ query, documents }: RerankRequest): number {
  return documents.reduce((total, text) => total + Math.ceil((query.length + text.length) / 4), 0);
}
