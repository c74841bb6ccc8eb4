import { type CachedEmbeddingResult, type CachingEmbedder, type BillingContext, LLMError } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import { CoordinationUnavailableError } from '@annals/runtime';
import { DatabaseUnavailableError } from '@annals/storage';

/** Timeouts of an embedding, in ms. */
export interface EmbeddingTimeouts {
  /**
   * After this time the request is answered without a vector (docs/reference/recall.md#degraded-answers).
   */
  readonly answerMs: number;
  /** Of one call. Shorter than `answerMs`, so that calls to a hanging server fail and open its circuit. */
  readonly callMs: number;
}

export const DEFAULT_EMBEDDING_TIMEOUTS: EmbeddingTimeouts = { answerMs: 2_000, callMs: 1_500 };

/** The vector of a text, or why there is none. */
export type EmbeddingAttempt = { readonly vector: Float32Array } | { readonly reason: string };

export interface EmbeddingDependencies {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timeouts: EmbeddingTimeouts;
}

/**
 * The vector of a text. When the provider fails, or admission control (budget, rate limiter, circuit breaker) refuses
 * the call, the reason is returned instead, and the search is lexical only. Throws only DatabaseUnavailableError.
 */
export async function tryEmbed(
  embedder: CachingEmbedder,
  billingContext: BillingContext,
  text: string,
  { logger, metrics, timeouts }: EmbeddingDependencies,
): Promise<EmbeddingAttempt> {
  const { provider } = embedder;
  try {
    const signal = AbortSignal.timeout(timeouts.answerMs);
    const result = await embedder.embed(billingContext.tenantId, [text], { signal, billingContext });
    countResult(metrics, provider, result);
    return { vector: result.vectors[0]! };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const reason = getFailureReason(error);
    metrics.inc('memory_llm_embedding_calls_total', { provider: provider.name, outcome: 'error' });
    logger.warn('embeddings_degraded', { reason, error });
    return { reason };
  }
}

function getFailureReason(error: unknown): string {
  if (error instanceof LLMError) return error.type;
  if (error instanceof CoordinationUnavailableError) return 'coordination_unavailable';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unknown';
}

function countResult(
  metrics: Metrics,
  { name: provider }: CachingEmbedder['provider'],
  { hits }: CachedEmbeddingResult,
): void {
  metrics.add('memory_llm_embedding_cache_hits_total', hits.memory + hits.store, { provider });
  if (hits.misses === 0) return;
  metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'ok' });
  metrics.add('memory_llm_embedding_inputs_total', hits.misses, { provider });
}
