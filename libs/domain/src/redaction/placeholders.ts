import { PLACEHOLDERS, type PiiType } from './pii-types.js';

/** How each type is named in a placeholder. */
const LABELS: Readonly<Record<PiiType, string>> = {
  EMAIL: 'email',
  PHONE: 'phone',
  CARD: 'card',
  IBAN: 'iban',
  NATIONAL_ID: 'national id',
  IP: 'ip',
  SECRET: 'secret',
};

const ANY_LABEL = Object.values(LABELS).join('|');
// A pseudonym has a letter, so a card number typed as "[card 4111111111111111]" is none and is redacted.
const PLACEHOLDER = String.raw`\[(?:redacted (?:${ANY_LABEL})|(?:${ANY_LABEL}) (?=\d*[a-f])[0-9a-f]{16})\]`;

/** Passwords and PINs shorter than this could be found by trying: their placeholder carries no pseudonym. */
const MIN_PSEUDONYMOUS_SECRET = 20;

/**
 * Matches a placeholder: `[email 7f3a9c21d04be5f8]`, or `[redacted email]` of a short secret and of texts that were
 * stored before placeholders carried pseudonyms. Has the flag `g`: use it with `replaceAll` and `matchAll` only.
 */
export const PLACEHOLDER_PATTERN = new RegExp(PLACEHOLDER, 'g');

const PSEUDONYMOUS = new RegExp(String.raw`\[(?:${ANY_LABEL}) (?=\d*[a-f])[0-9a-f]{16}\]`, 'g');

/** What is stored for a value: `[email 7f3a9c21d04be5f8]`, or `[redacted email]` without a pseudonym. */
export function renderPlaceholder(type: PiiType, pseudonym: string | null): string {
  return pseudonym === null ? PLACEHOLDERS[`<PII:${type}>`] : `[${LABELS[type]} ${pseudonym}]`;
}

/** Whether the placeholder of this normalised value may tell it from others (docs/reference/privacy.md#placeholders). */
export function isPseudonymous(type: PiiType, normalized: string): boolean {
  return type !== 'SECRET' || normalized.length >= MIN_PSEUDONYMOUS_SECRET;
}

/** The different placeholders with a pseudonym in a redacted text, in their order. */
export function listPlaceholders(text: string): string[] {
  return [...new Set(text.match(PSEUDONYMOUS))];
}
