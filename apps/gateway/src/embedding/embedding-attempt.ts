import { type CachingEmbedder, LLMError } from '@annals/llm-core';
import type { Logger } from '@annals/observability';

/** Someone waits for the answer: after so long it is given without a vector (decision 45). */
const TIMEOUT_MS = 2_000;

/** A text's vector, or why the answer must do without. */
export type EmbeddingAttempt = { readonly vector: Float32Array } | { readonly reason: string };

/** The vector of a text. Never throws: without vectors, words must do. */
export async function tryEmbed(
  embedder: CachingEmbedder,
  tenantId: string,
  text: string,
  logger: Logger,
): Promise<EmbeddingAttempt> {
  try {
    const { vectors } = await embedder.embed(tenantId, [text], { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { vector: vectors[0]! };
  } catch (error) {
    const reason = error instanceof LLMError ? error.type : 'unknown';
    logger.warn('embeddings_degraded', { reason, error });
    return { reason };
  }
}
