import { type CachingEmbedder, type EmbeddingProvider, hashText } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import { createCachedEmbedder, DATABASE, METRICS } from '@annals/runtime';
import type { ContentEmbedding, Database } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { EMBEDDER } from './persistence.tokens.js';

/** Vectors by content. */
export interface Embedded {
  readonly embeddings: ReadonlyMap<string, ContentEmbedding>;
}

export const NOT_EMBEDDED: Embedded = { embeddings: new Map() };

/** Vectors in memory: at 1 536 dimensions about 12 MB. */
const CACHED_VECTORS = 2_000;

/** Makes the vectors of a batch's contents: known ones from the tenant's memories, all others in one call. */
@Injectable()
export class ContentEmbedder {
  private readonly cache: CachingEmbedder;

  constructor(
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(DATABASE) database: Database,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.cache = createCachedEmbedder(provider, database, CACHED_VECTORS);
  }

  /** @throws LLMError, DatabaseUnavailableError, or the reason of an aborted signal */
  async embedContents(tenantId: string, contents: readonly string[], signal: AbortSignal): Promise<Embedded> {
    if (contents.length === 0) return NOT_EMBEDDED;
    const { name: provider, model } = this.provider;
    const { vectors, usage, hits } = await this.embed(tenantId, contents, signal);
    this.metrics.add('memory_llm_embedding_cache_hits_total', hits.memory + hits.store, { provider });
    const embeddings = contents.map((content, place): [string, ContentEmbedding] => [
      content,
      { model, contentHash: toBytes(hashText(content)), vector: vectors[place]! },
    ]);
    if (hits.misses > 0) this.countCall(hits.misses, usage);
    return { embeddings: new Map(embeddings) };
  }

  private async embed(tenantId: string, contents: readonly string[], signal: AbortSignal) {
    try {
      return await this.cache.embed(tenantId, contents, { signal });
    } catch (error) {
      this.metrics.inc('memory_llm_embedding_calls_total', { provider: this.provider.name, outcome: 'error' });
      throw error;
    }
  }

  private countCall(inputs: number, usage: { inputTokens: number; costMicroUsd: number }): void {
    const { name: provider, model } = this.provider;
    this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'ok' });
    this.metrics.add('memory_llm_embedding_inputs_total', inputs, { provider });
    const labels = { provider, model, operation: 'embedding' } as const;
    this.metrics.add('memory_llm_tokens_total', usage.inputTokens, { ...labels, direction: 'input' });
    this.metrics.add('memory_llm_cost_micro_usd_total', usage.costMicroUsd, labels);
  }
}

function toBytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}
