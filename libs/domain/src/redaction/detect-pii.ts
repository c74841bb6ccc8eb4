import type { CountryCode } from 'libphonenumber-js';
import { findEmails, findIpv4, findIpv6 } from './detectors/addresses.js';
import { findNationalIds } from './detectors/national-ids.js';
import { findCards, findIbans } from './detectors/payment-numbers.js';
import { findPhones } from './detectors/phone.js';
import {
  findApiKeys,
  findAssignedSecrets,
  findJsonWebTokens,
  findPrivateKeys,
  findUrlCredentials,
} from './detectors/secrets.js';
import { findNumberWindows, maskCommonNumbers } from './number-windows.js';
import type { PiiSpan } from './pii-types.js';
import { type PreparedText, prepareText } from './prepared-text.js';

/** Minimum number of digits of any number that is detected (NINO). */
const MIN_NUMBER_DIGITS = 6;

/** Spans in order, without overlaps. Detectors only run if the text has the characters that they need. */
export function detectPii(text: string, country: CountryCode): PiiSpan[] {
  const prepared = prepareText(text);
  const spans = [
    ...detectSecrets(prepared.scanText),
    ...detectAddresses(prepared),
    ...detectNumbers(prepared, country),
  ];
  if (spans.length === 0) return spans;
  return resolveOverlaps(spans).map((span) => ({
    ...span,
    start: prepared.toOriginal(span.start),
    end: prepared.toOriginal(span.end - 1) + 1,
  }));
}

function detectSecrets(scanText: string): PiiSpan[] {
  return [
    ...findApiKeys(scanText),
    ...findJsonWebTokens(scanText),
    ...findPrivateKeys(scanText),
    ...findAssignedSecrets(scanText),
    ...findUrlCredentials(scanText),
  ];
}

function detectAddresses({ scanText, hasAt, digitCount, dotCount, colonCount }: PreparedText): PiiSpan[] {
  return [
    ...(hasAt ? findEmails(scanText) : []),
    ...(digitCount >= 4 && dotCount >= 3 ? findIpv4(scanText) : []),
    ...(digitCount >= 1 && colonCount >= 2 ? findIpv6(scanText) : []),
  ];
}

function detectNumbers(prepared: PreparedText, country: CountryCode): PiiSpan[] {
  if (prepared.digitCount < MIN_NUMBER_DIGITS) return [];
  const scanText = maskCommonNumbers(prepared);
  const windows = findNumberWindows(scanText);
  return [
    ...findIbans(scanText),
    ...findNationalIds(scanText, windows.length > 0),
    ...(windows.length > 0 ? [...findCards(scanText, windows), ...findPhones(scanText, windows, country)] : []),
  ];
}

/**
 * The more specific pattern wins, then the longer span, then the earlier; a later pass checks what is left uncovered.
 */
function resolveOverlaps(spans: readonly PiiSpan[]): PiiSpan[] {
  const kept: PiiSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || comparePrecedence(a, b))) {
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push(span);
    else if (comparePrecedence(span, last) < 0) kept[kept.length - 1] = span;
  }
  return kept;
}

function comparePrecedence(a: PiiSpan, b: PiiSpan): number {
  return a.rank - b.rank || b.end - b.start - (a.end - a.start) || a.start - b.start;
}
