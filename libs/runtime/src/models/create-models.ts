import type { Config } from '@annals/config';
import type { Clock } from '@annals/domain';
import { createEmbeddingProvider, createProvider, type EmbeddingProvider, type LLMProvider } from '@annals/llm-core';

/** The model that extracts, as configured. */
export function createExtractionProvider({ llm }: Config<'llm'>): LLMProvider {
  return createProvider({ provider: llm.primary });
}

/** For one request to the embedding server; the job or the caller may give up sooner. */
const EMBEDDING_TIMEOUT_MS = 20_000;

/** Where vectors come from, as configured: the same for what is written and what is asked. */
export function createEmbedder({ embeddings }: Config<'embeddings'>, clock: Clock): EmbeddingProvider {
  if (embeddings.kind === 'hashed') return createEmbeddingProvider({ provider: 'hashed' });
  const { baseUrl, apiKey, model, dimensions } = embeddings;
  return createEmbeddingProvider({
    provider: 'openai',
    baseUrl,
    apiKey,
    model,
    dimensions,
    timeoutMs: EMBEDDING_TIMEOUT_MS,
    clock,
  });
}
