/** The wording of the extraction prompt; raised with every change of its system text, its schema or its lines. */
export const PROMPT_VERSION = 'extraction-4';
