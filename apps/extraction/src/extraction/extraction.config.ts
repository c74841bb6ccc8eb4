/** Configuration of ExtractionModule. */
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
