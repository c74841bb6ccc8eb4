import { CachingEmbedder, type EmbeddingProvider } from '@annals/llm-core';
import { type Database, loadCachedEmbeddings } from '@annals/storage';

/**
 * Vectors of contents: known ones from memory (`cachedVectors` of them) and from the tenant's memories, all others made
 * in one call. Hashed vectors are made faster than they are looked up, so those are always made.
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
