/** The `Reranker`, or null if none is configured. */
export const RERANKER = Symbol('Reranker');
