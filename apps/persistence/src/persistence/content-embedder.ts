import type { Config } from '@annals/config';
import type { EmbeddingProvider } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import { CONFIG, DATABASE, METRICS } from '@annals/runtime';
import { type ContentEmbedding, type Database, type EmbeddingUsage, loadCachedEmbeddings } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { EMBEDDER } from './persistence.tokens.js';

/** Vectors by content, and what those cost that had to be made. */
export interface Embedded {
  readonly embeddings: ReadonlyMap<string, ContentEmbedding>;
  readonly usage: EmbeddingUsage | null;
}

export const NOT_EMBEDDED: Embedded = { embeddings: new Map(), usage: null };

/** Makes the vectors of a batch's contents: known ones from the tenant's memories, all others in one call. */
@Injectable()
export class ContentEmbedder {
  /** Hashed vectors are made faster than they are looked up. */
  private readonly looksUp: boolean;

  constructor(
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CONFIG) { embeddings }: Config<'embeddings'>,
  ) {
    this.looksUp = embeddings.kind !== 'hashed';
  }

  /** @throws LLMError, DatabaseUnavailableError, or the reason of an aborted signal */
  async embedContents(tenantId: string, contents: readonly string[], signal: AbortSignal): Promise<Embedded> {
    if (contents.length === 0) return NOT_EMBEDDED;
    const { model } = this.provider;
    const hashes = new Map(contents.map((content) => [content, createHash('sha256').update(content).digest()]));
    const known = await this.lookUp(tenantId, [...hashes.values()]);
    const unknown = [...hashes].filter(([, hash]) => !known.has(hash.toString('hex'))).map(([content]) => content);
    const { made, usage } = await this.make(unknown, signal);
    const embeddings = [...hashes].map(([content, contentHash]): [string, ContentEmbedding] => {
      const vector = made.get(content) ?? known.get(contentHash.toString('hex'))!;
      return [content, { model, contentHash, vector }];
    });
    return { embeddings: new Map(embeddings), usage };
  }

  private async lookUp(tenantId: string, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, Float32Array>> {
    if (!this.looksUp) return new Map();
    const { name, model } = this.provider;
    const known = await this.database.inTenant(tenantId, (tx) => loadCachedEmbeddings(tx, model, hashes));
    this.metrics.add('memory_llm_embedding_cache_hits_total', known.size, { provider: name });
    return known;
  }

  private async make(contents: readonly string[], signal: AbortSignal) {
    if (contents.length === 0) return { made: new Map<string, Float32Array>(), usage: null };
    const { name, model } = this.provider;
    const { vectors, usage } = await this.call(contents, signal);
    this.metrics.add('memory_llm_embedding_inputs_total', contents.length, { provider: name });
    const labels = { provider: name, model, operation: 'embedding' } as const;
    this.metrics.add('memory_llm_tokens_total', usage.inputTokens, { ...labels, direction: 'input' });
    this.metrics.add('memory_llm_cost_micro_usd_total', usage.costMicroUsd, labels);
    return {
      made: new Map(contents.map((content, place) => [content, vectors[place]!])),
      usage: {
        provider: name,
        model,
        inputTokens: usage.inputTokens,
        costMicroUsd: usage.costMicroUsd,
        estimated: usage.estimated ?? false,
      },
    };
  }

  private async call(contents: readonly string[], signal: AbortSignal) {
    const { name: provider } = this.provider;
    try {
      const result = await this.provider.embed(contents, { signal });
      this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'ok' });
      return result;
    } catch (error) {
      this.metrics.inc('memory_llm_embedding_calls_total', { provider, outcome: 'error' });
      throw error;
    }
  }
}
