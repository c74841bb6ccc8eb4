/** Configuration of PersistenceModule. */
export const PERSISTENCE_FRAGMENTS = [
  'workers',
  'llm',
  'embeddings',
  'pricing',
  'budgets',
  'circuit',
  'retention',
  'checkpoints',
] as const;
