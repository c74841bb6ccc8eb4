export const PII_TYPES = ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'NATIONAL_ID', 'IP', 'SECRET'] as const;
export type PiiType = (typeof PII_TYPES)[number];

/** The only part of a redaction that may be logged (docs/reference/privacy.md#redaction-before-storage). */
export type PiiCounts = Record<PiiType, number>;

/** Only used inside the redactor (docs/reference/privacy.md#token-form-of-redacted-values). */
type PiiToken = `<PII:${PiiType}>`;

/** A span of personal data or a secret, in UTF-16 units. */
export interface PiiSpan {
  readonly start: number;
  readonly end: number;
  readonly type: PiiType;
  /** Where two spans overlap the lower number wins: the more specific pattern. */
  readonly rank: number;
}

/** What replaces a token where no pseudonym is known: short secrets, and everything before pseudonyms existed. */
export const PLACEHOLDERS: Readonly<Record<PiiToken, string>> = {
  '<PII:EMAIL>': '[redacted email]',
  '<PII:PHONE>': '[redacted phone]',
  '<PII:CARD>': '[redacted card]',
  '<PII:IBAN>': '[redacted iban]',
  '<PII:NATIONAL_ID>': '[redacted national id]',
  '<PII:IP>': '[redacted ip]',
  '<PII:SECRET>': '[redacted secret]',
};

export function createPiiCounts(): PiiCounts {
  return { EMAIL: 0, PHONE: 0, CARD: 0, IBAN: 0, NATIONAL_ID: 0, IP: 0, SECRET: 0 };
}
