import type { Clock } from '@annals/domain';
import { type CachingEmbedder, type EmbeddingProvider, hashText } from '@annals/llm-core';
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
import { Inject, Injectable } from '@nestjs/common';
import { type EmbeddingTimeouts, tryEmbed } from './embedding-attempt.js';
import { EMBEDDER, EMBEDDING_TIMEOUTS } from './tokens.js';

/**
 * Embeds the content of a manually written memory, before its transaction
 * (docs/reference/isolation.md#no-waiting-inside-a-transaction). Without a vector it is found by lexical search only.
 */
@Injectable()
export class ContentEmbedder {
  private readonly embedder: CachingEmbedder;

  constructor(
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(MODEL_CALLS) calls: ModelCalls | null,
    @Inject(DATABASE) database: Database,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
    @Inject(METRICS) readonly metrics: Metrics,
    @Inject(EMBEDDING_TIMEOUTS) readonly timeouts: EmbeddingTimeouts,
  ) {
    const metered = meterEmbedder(provider, calls, { clock, timeoutMs: timeouts.callMs });
    // No LRU cache: a person writes one memory at a time.
    this.embedder = createCachedEmbedder(metered, database, 0);
  }

  /**
   * The cosine from which two contents are related, on the model's own scale
   * (docs/reference/reconciliation.md#similarity-bands).
   */
  get linkFloor(): number {
    return this.provider.profile.bands.link;
  }

  get model(): string {
    return this.provider.model;
  }

  async embedContent(tenantId: string, content: string): Promise<Map<string, ContentEmbedding>> {
    const attempt = await tryEmbed(this.embedder, { tenantId, userId: null, batch: null }, content, this);
    if ('reason' in attempt) return new Map();
    const contentHash = Buffer.from(hashText(content), 'hex');
    return new Map([[content, { model: this.provider.model, contentHash, vector: attempt.vector }]]);
  }
}
