import { normalizeContent } from '../hash/index.js';

const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u300c-\u300f]/g;
const SINGLE_QUOTES = /[\u0060\u00b4\u2018-\u201b\u2032\u2039\u203a]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const WHITESPACE_RUN = /\s+/g;
// What models put around a quote: quotation marks, dots of omission, dashes.
const WRAPPING = ' "\'.-';
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
// Between characters of scripts without spaces every position is a word boundary.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * True when the words of `quote` stand in `messageText`, after normalisation
 * (docs/reference/extraction.md#grounding-by-quotes): the hash normal form, with quotation marks and dashes of all
 * kinds as one, without what wraps the quote. Whole words only: "art" is not a quote from "start". An empty quote is
 * never grounded.
 */
export function isQuoteGrounded(quote: string, messageText: string): boolean {
  const needle = trimWrapping(normalizeForQuote(quote));
  if (needle === '') return false;
  const haystack = normalizeForQuote(messageText);
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    if (isWordEdge(haystack, at) && isWordEdge(haystack, at + needle.length)) return true;
  }
  return false;
}

/** True when a quote has no words or signs at all, once normalised. */
export function isEmptyQuote(quote: string): boolean {
  return trimWrapping(normalizeForQuote(quote)) === '';
}

// The hash form can leave two spaces where a format character went; here every run is one space.
function normalizeForQuote(text: string): string {
  const unified = text.replace(DOUBLE_QUOTES, '"').replace(SINGLE_QUOTES, "'").replace(DASHES, '-');
  return normalizeContent(normalizeContent(unified)).replace(WHITESPACE_RUN, ' ');
}

function trimWrapping(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WRAPPING.includes(text.charAt(start))) start += 1;
  while (end > start && WRAPPING.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isWordEdge(text: string, position: number): boolean {
  const before = lastCharacter(text.slice(Math.max(0, position - 2), position));
  const after = String.fromCodePoint(text.codePointAt(position) ?? 0x20);
  if (!WORD_CHARACTER.test(before) || !WORD_CHARACTER.test(after)) return true;
  return UNSPACED.test(before) || UNSPACED.test(after);
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? '';
}
