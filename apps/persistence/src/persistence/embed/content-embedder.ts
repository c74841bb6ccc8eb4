import type { Clock } from '@annals/domain';
import {
  type CachingEmbedder,
  type BillingContext,
  type EmbeddingProvider,
  hashText,
  type SimilarityProfile,
} from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import {
  CLOCK,
  createCachedEmbedder,
  DATABASE,
  meterEmbedder,
  METRICS,
  MODEL_CALLS,
  type ModelCalls,
} from '@annals/runtime';
import type { ContentEmbedding, Database } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

/** The `EmbeddingProvider` for memories. */
export const EMBEDDER = Symbol('EmbeddingProvider');

export type ContentEmbeddings = ReadonlyMap<string, ContentEmbedding>;

/** Vectors in memory: at 1 536 dimensions about 12 MB. */
const CACHED_VECTORS = 2_000;

/** Of one call, which is several HTTP requests for a large batch, in ms. */
const TIMEOUT_MS = 30_000;

/**
 * Embeds the contents of a batch: known vectors are read from the tenant's memories, all others come from one call. The
 * cost is settled when the call has answered, even if the batch is never written.
 */
@Injectable()
export class ContentEmbedder implements OnModuleInit {
  private readonly cache: CachingEmbedder;

  constructor(
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(MODEL_CALLS) calls: ModelCalls | null,
    @Inject(DATABASE) database: Database,
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    const metered = meterEmbedder(provider, calls, { clock, timeoutMs: TIMEOUT_MS });
    this.cache = createCachedEmbedder(metered, database, CACHED_VECTORS);
  }

  /** A model that cannot be loaded makes the start fail, not the first batch. */
  async onModuleInit(): Promise<void> {
    await this.provider.load?.();
  }

  /** The model's similarity scale. */
  get profile(): SimilarityProfile {
    return this.provider.profile;
  }

  get model(): string {
    return this.provider.model;
  }

  /**
   * @throws LLMError (`budget_exceeded` when a budget is exhausted), CoordinationUnavailableError,
   * DatabaseUnavailableError, or the reason of an aborted signal
   */
  async embedContents(
    billingContext: BillingContext,
    contents: readonly string[],
    signal: AbortSignal,
  ): Promise<ContentEmbeddings> {
    if (contents.length === 0) return new Map();
    const { name: provider, model } = this.provider;
    const { vectors, hits } = await this.embed(billingContext, contents, signal);
    this.metrics.add('memory_llm_embedding_cache_hits_total', hits.memory + hits.store, { provider });
    const embeddings = contents.map((content, index): [string, ContentEmbedding] => [
      content,
      { model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[index]! },
    ]);
    if (hits.misses > 0) {
      this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'ok' });
      this.metrics.add('memory_llm_embedding_inputs_total', hits.misses, { provider });
    }
    return new Map(embeddings);
  }

  private async embed(billingContext: BillingContext, contents: readonly string[], signal: AbortSignal) {
    try {
      return await this.cache.embed(billingContext.tenantId, contents, { signal, billingContext });
    } catch (error) {
      this.metrics.inc('memory_llm_embedding_calls_total', { provider: this.provider.name, outcome: 'error' });
      throw error;
    }
  }
}
