/** Configuration that ExtractionModule reads. */
export const EXTRACTION_FRAGMENTS = ['workers', 'llm'] as const;
