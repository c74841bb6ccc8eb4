const MAX_CONTEXT_LENGTH = 400;
const OMISSION = ' […] ';
// Halves of a surrogate pair that was cut in two.
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;

/**
 * A context message as it is shown: its beginning and its end, where an answer's topic and its question stand. Nothing
 * is extracted from context, and assistants' answers are long.
 */
export function shortenContext(content: string): string {
  if (content.length <= MAX_CONTEXT_LENGTH) return content;
  const half = Math.floor((MAX_CONTEXT_LENGTH - OMISSION.length) / 2);
  const beginning = content.slice(0, half).replace(HALF_AT_END, '');
  const end = content.slice(-half).replace(HALF_AT_START, '');
  return beginning + OMISSION + end;
}
