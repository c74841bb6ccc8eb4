/** The `EmbeddingProvider` that makes the vectors of memories. */
export const EMBEDDER = Symbol('EmbeddingProvider');
