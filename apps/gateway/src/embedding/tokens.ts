/** The `EmbeddingProvider` that makes vectors of questions and of memories by hand. */
export const EMBEDDER = Symbol('EmbeddingProvider');
/** The `EmbeddingPatience` of both. */
export const EMBEDDING_PATIENCE = Symbol('EmbeddingPatience');
