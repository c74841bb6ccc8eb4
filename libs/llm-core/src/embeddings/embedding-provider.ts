import type { CosineProfile, MergeBands } from '@annals/domain';

/** A model's own scale: where its cosines lie, and from which of them on two statements are merged or linked. */
export interface SimilarityProfile extends CosineProfile {
  readonly bands: MergeBands;
}

export interface EmbeddingUsage {
  inputTokens: number;
  /** Present (true) only when the provider gave no count. */
  estimated?: true;
  /** Integer micro-USD. */
  costMicroUsd: number;
  /** How many calls left the process. */
  requests: number;
}

export interface EmbeddingResult {
  /** One unit vector per text, in their order. */
  vectors: Float32Array[];
  usage: EmbeddingUsage;
}

/** For whom vectors are made: whose budget is charged, and which batch the ledger counts the call to. */
export interface BillingContext {
  tenantId: string;
  userId: string | null;
  batch: { batchId: string; fence: number; generation: number } | null;
}

export interface EmbedOptions {
  signal: AbortSignal;
  /** Needed where calls are metered; providers themselves do not look at it. */
  billingContext?: BillingContext;
}

/**
 * Text to vectors. `model` names the vector space: vectors of two models are never compared. Failures are `LLMError`s;
 * an aborted signal ends a call with its reason. An empty text has a vector too.
 */
export interface EmbeddingProvider {
  readonly name: string;
  readonly model: string;
  readonly dimensions: number;
  readonly profile: SimilarityProfile;
  embed(texts: readonly string[], options: EmbedOptions): Promise<EmbeddingResult>;
  /**
   * The most a call with these texts can cost (docs/reference/budgets.md#upper-bound-of-a-call): every byte a token.
   * Whole micro-USD, 0 where it is free.
   */
  estimateMaxCost(texts: readonly string[]): number;
}
