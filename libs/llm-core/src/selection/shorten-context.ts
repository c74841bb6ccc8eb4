const MAX_CONTEXT_LENGTH = 400;
const OMISSION = ' […] ';
// Halves of a surrogate pair that was split.
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;

/**
 * Shortens a context message to its beginning and end, where the topic and the question of an answer usually are.
 * Nothing is extracted from context, and answers of assistants are long.
 */
export function shortenContext(content: string): string {
  if (content.length <= MAX_CONTEXT_LENGTH) return content;
  const half = Math.floor((MAX_CONTEXT_LENGTH - OMISSION.length) / 2);
  const beginning = content.slice(0, half).replace(HALF_AT_END, '');
  const end = content.slice(-half).replace(HALF_AT_START, '');
  return beginning + OMISSION + end;
}
