import { normalizeContent } from '../hash/index.js';

const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u300c-\u300f]/g;
const SINGLE_QUOTES = /[\u0060\u00b4\u2018-\u201b\u2032\u2039\u203a]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const WHITESPACE_RUN = /\s+/g;
// Characters that models put around a quote: quotation marks, ellipses, dashes.
const WRAPPING = ' "\'.-';
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
// Between characters of scripts without spaces every position is a word boundary.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * True when `quote` occurs in `messageText`, after normalisation (docs/reference/extraction.md#grounding-by-quotes):
 * the hash normal form, with all kinds of quotation marks and dashes unified, without the characters around the quote.
 * Whole words only: "art" is not a quote from "start". An empty quote is never grounded.
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

/** True when a quote is empty after normalisation. */
export function isEmptyQuote(quote: string): boolean {
  return trimWrapping(normalizeForQuote(quote)) === '';
}

// The hash form can contain two spaces where a format character was removed; here every run becomes one space.
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
