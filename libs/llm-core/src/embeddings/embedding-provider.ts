import type { CosineProfile, MergeBands, PairBand } from '@annals/domain';

/** The cosine scale of a model, and the bands from which two statements are merged or linked. */
export interface SimilarityProfile extends CosineProfile {
  readonly bands: MergeBands;
  /** Cosines of stored memories that consolidation decides about, where calibration showed other ones than `getPairBand`. */
  readonly pairs?: PairBand;
  /** The vectors are computed from words: two texts that say the same in other words are not near each other. */
  readonly isLexical?: true;
}

export interface EmbeddingUsage {
  inputTokens: number;
  /** Present (true) only if the provider reported no count. */
  estimated?: true;
  /** Integer micro-USD. */
  costMicroUsd: number;
  /** Number of requests sent to the provider. */
  requests: number;
}

export interface EmbeddingResult {
  /** One unit vector per text, in the order of the texts. */
  vectors: Float32Array[];
  usage: EmbeddingUsage;
}

/** Whose budget is charged for a call, and to which batch the ledger assigns it. */
export interface BillingContext {
  tenantId: string;
  /** Null when the call is not for a user, such as those of the doctor. */
  userId: string | null;
  batch: { batchId: string; fence: number; generation: number } | null;
}

export interface EmbedOptions {
  signal: AbortSignal;
  /** Required where calls are metered; not used by providers themselves. */
  billingContext?: BillingContext;
}

/**
 * Converts texts to vectors. `model` names the vector space: vectors of different models are never compared. Failures
 * are `LLMError`s; an aborted signal ends a call with its reason. An empty text has a vector too.
 */
export interface EmbeddingProvider {
  readonly name: string;
  readonly model: string;
  readonly dimensions: number;
  readonly profile: SimilarityProfile;
  /** Loads a model inside the process once; a service calls it at startup. @throws Error that says what is missing */
  load?(): Promise<void>;
  embed(texts: readonly string[], options: EmbedOptions): Promise<EmbeddingResult>;
  /** In integer micro-USD (docs/reference/budgets.md#upper-bound-of-a-call); 0 if it is free. */
  estimateMaxCost(texts: readonly string[]): number;
}
