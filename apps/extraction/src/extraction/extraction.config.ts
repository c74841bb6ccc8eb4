/** Configuration that extraction reads. */
export const EXTRACTION_FRAGMENTS = [
  'workers',
  'llm',
  'pricing',
  'budgets',
  'circuit',
  'salience',
  'multiFact',
  'categories',
] as const;
