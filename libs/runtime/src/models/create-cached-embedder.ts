import { CachingEmbedder, type EmbeddingProvider } from '@annals/llm-core';
import { type Database, loadCachedEmbeddings } from '@annals/storage';

/**
 * Embeds contents: known vectors come from memory (`cachedVectors` of them) and from the memories of the tenant, all
 * others are made in one call. Hashed vectors are computed faster than they are looked up, so they are not cached.
 */
export function createCachedEmbedder(
  provider: EmbeddingProvider,
  database: Pick<Database, 'readTenant'>,
  cachedVectors: number,
): CachingEmbedder {
  if (provider.name === 'hashed') return new CachingEmbedder({ provider, lruSize: 0 });
  const load = (tenantId: string, model: string, hashes: readonly string[]) =>
    database.readTenant(tenantId, (tx) =>
      loadCachedEmbeddings(
        tx,
        model,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      ),
    );
  return new CachingEmbedder({ provider, store: { load }, lruSize: cachedVectors });
}
