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
  const isTruncated = text.endsWith(TRUNCATION_SUFFIX) && text.length - TRUNCATION_SUFFIX.length <= maxLength;
  if (text.length <= maxLength || isTruncated) return text;
  const splitsPair = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength) + TRUNCATION_SUFFIX;
}

const NUL = /\u0000/g;

/**
 * The text without what cannot be stored as UTF-8: NUL characters are removed, a lone surrogate becomes U+FFFD. For
 * text from models; callers' text is rejected instead (`isStorableText` of contracts).
 */
export function makeStorable(text: string): string {
  return text.replace(NUL, '').toWellFormed();
}
