/** The `EmbeddingProvider` for memories. */
export const EMBEDDER = Symbol('EmbeddingProvider');
/** The remote providers for reconciliation, in order of preference; without one, no model is called. */
export const DECIDERS = Symbol('Deciders');
