import type { Clock, RedundancyScale } from '@annals/domain';
import { CachingEmbedder, type EmbeddingProvider, hashText, type SimilarityProfile } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import {
  CLOCK,
  createCachedEmbedder,
  DATABASE,
  LOGGER,
  meterEmbedder,
  METRICS,
  MODEL_CALLS,
  type ModelCalls,
} from '@annals/runtime';
import type { ContentEmbedding, Database } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type EmbeddingTimeouts, GATEWAY_OPTIONS, type GatewayOptions } from '../config.js';
import { attemptInTime, type FailedAttempt } from './attempt-in-time.js';

const DEFAULT_TIMEOUTS: EmbeddingTimeouts = { answerMs: 2_000, callMs: 1_500 };

/** Agents repeat the same few queries; a vector of 1 536 dimensions is 6 kB. */
const CACHED_QUERIES = 2_000;

export type EmbeddingAttempt = { readonly vector: Float32Array } | FailedAttempt;

/** One call has few texts, so that it is answered in the time that a request waits for it. */
const TEXTS_PER_CALL = 32;

/** Embeds queries, and the contents of manually written memories. What has no vector is searched lexically only. */
@Injectable()
export class TextEmbedder implements OnModuleInit {
  private readonly provider: EmbeddingProvider;
  private readonly timeouts: EmbeddingTimeouts;
  private readonly queries: CachingEmbedder;
  private readonly contents: CachingEmbedder;

  constructor(
    @Inject(GATEWAY_OPTIONS) { embedder, embeddingTimeouts = DEFAULT_TIMEOUTS }: GatewayOptions,
    @Inject(MODEL_CALLS) calls: ModelCalls | null,
    @Inject(DATABASE) database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.provider = embedder;
    this.timeouts = embeddingTimeouts;
    const metered = meterEmbedder(embedder, calls, { clock, timeoutMs: embeddingTimeouts.callMs });
    this.queries = new CachingEmbedder({ provider: metered, lruSize: CACHED_QUERIES });
    // No LRU cache: a person writes one memory at a time.
    this.contents = createCachedEmbedder(metered, database, 0);
  }

  /** A model that cannot be loaded makes the start fail, not the first query. */
  async onModuleInit(): Promise<void> {
    await this.provider.load?.();
  }

  get model(): string {
    return this.provider.model;
  }

  /** The model's similarity scale. */
  get profile(): SimilarityProfile {
    return this.provider.profile;
  }

  /**
   * The scale on which vectors tell how much two memories repeat each other (docs/reference/recall.md#diversity-by-mmr):
   * from related to the same statement. Null for vectors of words.
   */
  get redundancy(): RedundancyScale | null {
    const { bands, isLexical } = this.profile;
    return isLexical ? null : { sameTopic: bands.link, same: bands.auto };
  }

  /** @throws DatabaseUnavailableError */
  async embedQuery(tenantId: string, query: string): Promise<EmbeddingAttempt> {
    const attempt = await this.tryEmbed(this.queries, tenantId, [query]);
    return 'reason' in attempt ? attempt : { vector: attempt.vectors[0]! };
  }

  /**
   * The vector by content, or nothing. Call it before the memory's transaction
   * (docs/reference/isolation.md#no-waiting-inside-a-transaction). @throws DatabaseUnavailableError
   */
  async embedContent(tenantId: string, content: string): Promise<Map<string, ContentEmbedding>> {
    const attempt = await this.tryEmbed(this.contents, tenantId, [content]);
    if ('reason' in attempt) return new Map();
    const contentHash = Buffer.from(hashText(content), 'hex');
    return new Map([[content, { model: this.model, contentHash, vector: attempt.vectors[0]! }]]);
  }

  /**
   * The vector by text of those that could be embedded: all, unless a call failed, which is the last one then. Call it
   * before the transaction that stores them. @throws DatabaseUnavailableError
   */
  embedTexts(tenantId: string, texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.embedAll(this.contents, tenantId, texts);
  }

  /** The same for queries. */
  embedQueries(tenantId: string, queries: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.embedAll(this.queries, tenantId, queries);
  }

  private async embedAll(
    embedder: CachingEmbedder,
    tenantId: string,
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const distinct = [...new Set(texts)];
    const found = new Map<string, Float32Array>();
    for (let from = 0; from < distinct.length; from += TEXTS_PER_CALL) {
      const part = distinct.slice(from, from + TEXTS_PER_CALL);
      const attempt = await this.tryEmbed(embedder, tenantId, part);
      if ('reason' in attempt) break;
      for (const [index, text] of part.entries()) found.set(text, attempt.vectors[index]!);
    }
    return found;
  }

  private tryEmbed(
    embedder: CachingEmbedder,
    tenantId: string,
    texts: readonly string[],
  ): Promise<{ readonly vectors: readonly Float32Array[] } | FailedAttempt> {
    const { name: provider } = this.provider;
    const embed = async (signal: AbortSignal) => {
      const billingContext = { tenantId, userId: null, batch: null };
      const { vectors, hits } = await embedder.embed(tenantId, texts, { signal, billingContext });
      this.metrics.add('memory_llm_embedding_cache_hits_total', hits.memory + hits.store, { provider });
      if (hits.misses > 0) {
        this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'ok' });
        this.metrics.add('memory_llm_embedding_inputs_total', hits.misses, { provider });
      }
      return { vectors };
    };
    return attemptInTime(embed, {
      clock: this.clock,
      timeoutMs: this.timeouts.answerMs,
      onFailed: (reason, error) => {
        this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'error' });
        this.logger.warn('embeddings_degraded', { reason, error });
      },
    });
  }
}
