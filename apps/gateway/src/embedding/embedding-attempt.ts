import { type CachedEmbeddingResult, type CachingEmbedder, type EmbeddingPayer, LLMError } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import { CoordinationUnavailableError } from '@annals/runtime';
import { DatabaseUnavailableError } from '@annals/storage';

/** How long a vector is waited for, in ms. */
export interface EmbeddingPatience {
  /** Someone waits for the answer: after so long it is given without a vector (decision 45). */
  readonly answerMs: number;
  /** A call's own part of it: a server that hangs fails by itself, so that its circuit opens and nobody waits again. */
  readonly callMs: number;
}

export const DEFAULT_PATIENCE: EmbeddingPatience = { answerMs: 2_000, callMs: 1_500 };

/** A text's vector, or why the answer must do without. */
export type EmbeddingAttempt = { readonly vector: Float32Array } | { readonly reason: string };

export interface EmbeddingCircumstances {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly patience: EmbeddingPatience;
}

/**
 * The vector of a text. A provider that fails, or that no budget, gate or circuit lets us ask, gives a reason instead:
 * without vectors, words must do. Throws DatabaseUnavailableError alone.
 */
export async function tryEmbed(
  embedder: CachingEmbedder,
  payer: EmbeddingPayer,
  text: string,
  { logger, metrics, patience }: EmbeddingCircumstances,
): Promise<EmbeddingAttempt> {
  const { provider } = embedder;
  try {
    const signal = AbortSignal.timeout(patience.answerMs);
    const result = await embedder.embed(payer.tenantId, [text], { signal, payer });
    countResult(metrics, provider, result);
    return { vector: result.vectors[0]! };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const reason = nameReason(error);
    metrics.inc('memory_llm_embedding_calls_total', { provider: provider.name, outcome: 'error' });
    logger.warn('embeddings_degraded', { reason, error });
    return { reason };
  }
}

function nameReason(error: unknown): string {
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
