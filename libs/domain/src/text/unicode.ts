/**
 * Orders two strings by Unicode code point, the same under every locale. (`<` compares UTF-16 units and puts
 * U+1F600 before U+FF01.) Returns a negative number, 0 or a positive number.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rankUnit(a) - rankUnit(b);
  }
  return left.length - right.length;
}

// Surrogates represent code points above every other unit, so they are ranked after U+E000..U+FFFF.
function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Marks a truncated text (docs/reference/logging-and-metrics.md#sanitising-of-log-fields). */
export const TRUNCATION_SUFFIX = '[truncated]';

/**
 * The first `maxLength` UTF-16 units of a longer text, never half a code point, followed by "[truncated]"; a text that
 * is short enough is unchanged. Idempotent.
 */
export function truncateText(text: string, maxLength = 1024): string {
  if (text.length <= maxLength || isTruncated(text, maxLength)) return text;
  return text.slice(0, findCut(text, maxLength)) + TRUNCATION_SUFFIX;
}

function isTruncated(text: string, maxLength: number): boolean {
  return text.endsWith(TRUNCATION_SUFFIX) && text.length - TRUNCATION_SUFFIX.length <= maxLength;
}

function findCut(text: string, maxLength: number): number {
  const splitsPair = isHighSurrogate(text.charCodeAt(maxLength - 1)) && isLowSurrogate(text.charCodeAt(maxLength));
  return splitsPair ? maxLength - 1 : maxLength;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const NUL = /\u0000/g;

/**
 * The text without what cannot be stored as UTF-8: NUL characters are removed, a lone surrogate becomes U+FFFD. For
 * text from models; callers' text is rejected instead (`isStorableText` of contracts).
 */
export function makeStorable(text: string): string {
  return text.replace(NUL, '').toWellFormed();
}
