/**
 * Version of the normalisation pipeline, stored beside each hash for the dual-hash plan
 * (docs/reference/memory-model.md#hash-version).
 */
export const HASH_VERSION = 'v1.3.0';

const WHITESPACE_RUN = /\s+/g;
const FORMAT_OR_CONTROL = /[\p{Cf}\p{Cc}]/gu;
const SENTENCE_PUNCTUATION = '.!?,;:';

/**
 * The normal form of a memory's content that duplicates share: seven steps in exactly this order, then trim
 * (docs/reference/memory-model.md#content-hash). Internal punctuation and stop words stay.
 *
 * One pass is the definition, not a fixed point. A second pass changes the text only where a later step creates input
 * for an earlier one:
 * - removing a Cf/Cc character (step 5) brings together two spaces or a letter and its combining mark;
 * - stripping the trailing run (step 6) and trimming uncovers an earlier run that was set apart by white space ("a!
 * .");
 * - lower-casing (step 2) gives a sequence that NFKC (step 1) would compose or reorder.
 */
export function normalizeContent(content: string): string {
  const spaced = content.normalize('NFKC').toLowerCase().trim().replace(WHITESPACE_RUN, ' ');
  return stripTrailingPunctuation(spaced.replace(FORMAT_OR_CONTROL, '')).trim();
}

// A backward loop, since /[.!?,;:]+$/ takes quadratic time on a long inner run of punctuation.
function stripTrailingPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && SENTENCE_PUNCTUATION.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
