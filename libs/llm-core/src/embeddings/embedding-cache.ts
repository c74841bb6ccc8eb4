/**
 * Store of vectors that were already computed: implemented by the storage library over its `memory_embeddings` rows.
 */
export interface EmbeddingCacheStore {
  /** Loads known vectors by content hash; unknown hashes are missing from the map. */
  load(tenantId: string, model: string, contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}
