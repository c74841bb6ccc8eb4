/** The `EmbeddingProvider` that makes vectors of questions and of memories by hand. */
export const EMBEDDER = Symbol('EmbeddingProvider');
/** The `EmbeddingTimeouts` of both. */
export const EMBEDDING_TIMEOUTS = Symbol('EmbeddingTimeouts');
