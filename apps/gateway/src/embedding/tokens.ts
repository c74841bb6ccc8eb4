/** The `EmbeddingProvider` of queries and of manually written memories. */
export const EMBEDDER = Symbol('EmbeddingProvider');
/** The `EmbeddingTimeouts` of queries and manually written memories. */
export const EMBEDDING_TIMEOUTS = Symbol('EmbeddingTimeouts');
