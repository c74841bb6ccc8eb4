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
