import { CachingEmbedder, type EmbeddingProvider, hashText } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import { DATABASE, LOGGER, METRICS } from '@annals/runtime';
import { type ContentEmbedding, type Database, loadCachedEmbeddings } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tryEmbed } from './embedding-attempt.js';
import { EMBEDDER } from './tokens.js';

/** Makes the vector of a memory by hand, before its transaction (decision 36). Without one it is found by its words. */
@Injectable()
export class ContentEmbedder {
  private readonly embedder: CachingEmbedder;

  constructor(
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(DATABASE) database: Database,
    @Inject(LOGGER) readonly logger: Logger,
    @Inject(METRICS) readonly metrics: Metrics,
  ) {
    const load = (tenantId: string, model: string, hashes: readonly string[]) =>
      database.readTenant(tenantId, (tx) =>
        loadCachedEmbeddings(
          tx,
          model,
          hashes.map((hash) => Buffer.from(hash, 'hex')),
        ),
      );
    this.embedder = new CachingEmbedder({ provider, store: { load }, lruSize: 0 });
  }

  async embedContent(tenantId: string, content: string): Promise<Map<string, ContentEmbedding>> {
    const attempt = await tryEmbed(this.embedder, tenantId, content, this);
    if ('reason' in attempt) return new Map();
    const contentHash = Buffer.from(hashText(content), 'hex');
    return new Map([[content, { model: this.provider.model, contentHash, vector: attempt.vector }]]);
  }
}
