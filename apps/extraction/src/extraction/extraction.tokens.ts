/** The model that extracts. */
export const PROVIDER = Symbol('LLMProvider');
