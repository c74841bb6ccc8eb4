/** Configuration that PersistenceModule reads. */
export const PERSISTENCE_FRAGMENTS = ['workers', 'embeddings'] as const;
