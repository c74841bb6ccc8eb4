import type { CountryCode } from 'libphonenumber-js';
import { findApiKeys, findJsonWebTokens } from './detectors/api-keys.js';
import { findAssignedSecrets } from './detectors/assigned-secrets.js';
import { findCards } from './detectors/card.js';
import { findEmails } from './detectors/email.js';
import { findIbans } from './detectors/iban.js';
import { findIpv4, findIpv6 } from './detectors/ip.js';
import { findNationalIds } from './detectors/national-ids/find-national-ids.js';
import { findPhones } from './detectors/phone.js';
import { findPrivateKeys } from './detectors/private-key.js';
import { findUrlCredentials } from './detectors/url-credentials.js';
import { findNumberWindows } from './number-window.js';
import type { PiiSpan } from './pii-types.js';
import { prepareText, type PreparedText } from './prepared-text.js';
import { resolveOverlaps } from './resolve-overlaps.js';
import { maskCommonNumbers } from './mask-common-numbers.js';

/** Minimum number of digits of any number that is detected (NINO). */
const MIN_NUMBER_DIGITS = 6;

/**
 * Spans of personal data and secrets in `text`, in order, without overlaps. Detectors of addresses and numbers only run
 * if the text has the characters that they need.
 */
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
