/** The reranker, or null where none is configured. */
export const RERANKER = Symbol('Reranker');
