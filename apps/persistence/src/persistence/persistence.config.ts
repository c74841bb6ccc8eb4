/** Configuration that PersistenceModule reads. */
export const PERSISTENCE_FRAGMENTS = ['workers', 'embeddings', 'pricing', 'budgets', 'circuit', 'retention'] as const;
