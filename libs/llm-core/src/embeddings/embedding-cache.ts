/** Where vectors already paid for are found: storage implements it over its `memory_embeddings` rows. */
export interface EmbeddingCacheStore {
  /** Vectors that are known, by content hash; unknown hashes are simply missing from the map. */
  load(tenantId: string, model: string, contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}
