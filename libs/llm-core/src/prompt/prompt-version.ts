/** Version of the extraction prompt; must be raised with every change of its system text, schema or line format. */
export const PROMPT_VERSION = 'extraction-4';
