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
import { maskCommonNumbers } from './shields.js';

/** Fewest digits of any number that is looked for (NINO). */
const MIN_NUMBER_DIGITS = 6;

/** Personal and secret stretches of `text`, in order, without overlaps. Each detector runs only on a sign of its kind. */
export function detectPii(text: string, country: CountryCode): PiiSpan[] {
  const prepared = prepareText(text);
  const spans = [...detectSecrets(prepared.shadow), ...detectAddresses(prepared), ...detectNumbers(prepared, country)];
  if (spans.length === 0) return spans;
  return resolveOverlaps(spans).map((span) => ({
    ...span,
    start: prepared.toOriginal(span.start),
    end: prepared.toOriginal(span.end - 1) + 1,
  }));
}

function detectSecrets(shadow: string): PiiSpan[] {
  return [
    ...findApiKeys(shadow),
    ...findJsonWebTokens(shadow),
    ...findPrivateKeys(shadow),
    ...findAssignedSecrets(shadow),
    ...findUrlCredentials(shadow),
  ];
}

function detectAddresses({ shadow, hasAt, digitCount, dotCount, colonCount }: PreparedText): PiiSpan[] {
  return [
    ...(hasAt ? findEmails(shadow) : []),
    ...(digitCount >= 4 && dotCount >= 3 ? findIpv4(shadow) : []),
    ...(digitCount >= 1 && colonCount >= 2 ? findIpv6(shadow) : []),
  ];
}

function detectNumbers(prepared: PreparedText, country: CountryCode): PiiSpan[] {
  if (prepared.digitCount < MIN_NUMBER_DIGITS) return [];
  const shadow = maskCommonNumbers(prepared);
  const windows = findNumberWindows(shadow);
  return [
    ...findIbans(shadow),
    ...findNationalIds(shadow, windows.length > 0),
    ...(windows.length > 0 ? [...findCards(shadow, windows), ...findPhones(shadow, windows, country)] : []),
  ];
}
