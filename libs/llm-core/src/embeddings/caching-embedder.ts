import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { EmbeddingProvider, EmbeddingUsage, EmbedOptions } from './embedding-provider.js';

/** Store of computed vectors: implemented by the storage library over its `memory_embeddings` rows. */
export interface EmbeddingCacheStore {
  /** Loads known vectors by content hash; unknown hashes are missing from the map. */
  load(tenantId: string, model: string, contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}

export interface CachingEmbedderOptions {
  provider: EmbeddingProvider;
  store?: EmbeddingCacheStore;
  /** Maximum number of vectors in memory, over all tenants; 0 disables the in-memory cache. */
  lruSize: number;
}

export interface CachedEmbeddingResult {
  /** One vector per text, in the order of the texts. Shared with the cache: do not modify them. */
  vectors: Float32Array[];
  /** Usage of the provider call; zero if every text was cached. */
  usage: EmbeddingUsage;
  /** Number of distinct texts by source of their vectors. */
  hits: { memory: number; store: number; misses: number };
}

/**
 * Embeds each text once: vectors are cached by tenant, model and SHA-256 of the text, in memory and in the store; the
 * remaining texts are sent to the provider in one call
 * (docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job). The cache is separate per tenant, so that
 * a tenant cannot observe that another one embedded the same text.
 */
export class CachingEmbedder {
  private readonly memory: LRUCache<string, Float32Array> | undefined;

  constructor(private readonly options: CachingEmbedderOptions) {
    this.memory = options.lruSize > 0 ? new LRUCache({ max: options.lruSize }) : undefined;
  }

  get provider(): EmbeddingProvider {
    return this.options.provider;
  }

  async embed(tenantId: string, texts: readonly string[], options: EmbedOptions): Promise<CachedEmbeddingResult> {
    options.signal.throwIfAborted();
    const hashes = texts.map(hashText);
    const textOf = new Map(hashes.map((hash, index) => [hash, texts[index]!]));
    const found = new Map<string, Float32Array>();

    for (const hash of textOf.keys()) {
      const vector = this.memory?.get(this.buildKey(tenantId, hash));
      if (vector) found.set(hash, vector);
    }
    const fromMemory = found.size;
    await this.readStore(tenantId, listMissing(textOf, found), found);
    const fromStore = found.size - fromMemory;

    const missing = listMissing(textOf, found);
    const usage = await this.embedMissing(tenantId, missing, textOf, found, options);
    return {
      vectors: hashes.map((hash) => found.get(hash)!),
      usage,
      hits: { memory: fromMemory, store: fromStore, misses: missing.length },
    };
  }

  private async readStore(
    tenantId: string,
    hashes: readonly string[],
    found: Map<string, Float32Array>,
  ): Promise<void> {
    const { store, provider } = this.options;
    if (!store || hashes.length === 0) return;
    for (const [hash, vector] of await store.load(tenantId, provider.model, hashes)) {
      // A row with other dimensions under the same model name would make every comparison wrong.
      if (vector.length === provider.dimensions) this.cacheVector(tenantId, hash, vector, found);
    }
  }

  private async embedMissing(
    tenantId: string,
    hashes: readonly string[],
    textOf: ReadonlyMap<string, string>,
    found: Map<string, Float32Array>,
    options: EmbedOptions,
  ): Promise<EmbeddingUsage> {
    if (hashes.length === 0) return { inputTokens: 0, costMicroUsd: 0, requests: 0 };
    const texts = hashes.map((hash) => textOf.get(hash)!);
    const { vectors, usage } = await this.options.provider.embed(texts, options);
    hashes.forEach((hash, index) => this.cacheVector(tenantId, hash, vectors[index]!, found));
    return usage;
  }

  private cacheVector(tenantId: string, hash: string, vector: Float32Array, found: Map<string, Float32Array>): void {
    found.set(hash, vector);
    this.memory?.set(this.buildKey(tenantId, hash), vector);
  }

  private buildKey(tenantId: string, hash: string): string {
    return `${tenantId} ${this.options.provider.model} ${hash}`;
  }
}

function listMissing(textOf: ReadonlyMap<string, string>, found: ReadonlyMap<string, Float32Array>): string[] {
  return Array.from(textOf.keys()).filter((hash) => !found.has(hash));
}

/** The cache key of a text: SHA-256 of exactly what is embedded, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
