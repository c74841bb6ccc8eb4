/** The `EmbeddingProvider` that makes the vectors of memories. */
export const EMBEDDER = Symbol('EmbeddingProvider');
/** The remote models that may decide about new statements, the first one first; none: nothing is asked. */
export const DECIDERS = Symbol('Deciders');
