import type { Clock } from '@annals/domain';
import { CachingEmbedder, type EmbeddingProvider } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, LOGGER, meterEmbedder, METRICS, MODEL_CALLS, type ModelCalls } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { type EmbeddingAttempt, type EmbeddingTimeouts, tryEmbed } from './embedding-attempt.js';
import { EMBEDDER, EMBEDDING_TIMEOUTS } from './tokens.js';

/** Agents repeat the same few queries; a vector of 1 536 dimensions is 6 kB. */
const CACHED_QUERIES = 2_000;

/** Embeds queries, with an LRU cache per process. */
@Injectable()
export class QueryEmbedder {
  private readonly embedder: CachingEmbedder;

  constructor(
    @Inject(EMBEDDER) provider: EmbeddingProvider,
    @Inject(MODEL_CALLS) calls: ModelCalls | null,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
    @Inject(METRICS) readonly metrics: Metrics,
    @Inject(EMBEDDING_TIMEOUTS) readonly timeouts: EmbeddingTimeouts,
  ) {
    const metered = meterEmbedder(provider, calls, { clock, timeoutMs: timeouts.callMs });
    this.embedder = new CachingEmbedder({ provider: metered, lruSize: CACHED_QUERIES });
  }

  async embedQuery(tenantId: string, query: string): Promise<EmbeddingAttempt> {
    return tryEmbed(this.embedder, { tenantId, userId: null, batch: null }, query, this);
  }
}
