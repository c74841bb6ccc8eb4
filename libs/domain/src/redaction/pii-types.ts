/** The types of personal data and secrets that the redactor recognises. */
export const PII_TYPES = ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'NATIONAL_ID', 'IP', 'SECRET'] as const;
export type PiiType = (typeof PII_TYPES)[number];

/**
 * How many of each type were redacted: the only part that may be logged
 * (docs/reference/privacy.md#redaction-before-storage).
 */
export type PiiCounts = Record<PiiType, number>;

/**
 * The token form: it is only used inside the redactor and is never persisted
 * (docs/reference/privacy.md#token-form-of-redacted-values).
 */
export type PiiToken = `<PII:${PiiType}>`;

/** A span of personal data or a secret, in UTF-16 units. */
export interface PiiSpan {
  readonly start: number;
  readonly end: number;
  readonly type: PiiType;
  /** Where two spans overlap the lower number wins: the more specific pattern. */
  readonly rank: number;
}

const RENDERED: Record<PiiToken, string> = {
  '<PII:EMAIL>': '[redacted email]',
  '<PII:PHONE>': '[redacted phone]',
  '<PII:CARD>': '[redacted card]',
  '<PII:IBAN>': '[redacted iban]',
  '<PII:NATIONAL_ID>': '[redacted national id]',
  '<PII:IP>': '[redacted ip]',
  '<PII:SECRET>': '[redacted secret]',
};

/** All placeholders as they appear in redacted text. */
export const RENDERED_PLACEHOLDERS: readonly string[] = Object.values(RENDERED);

/** The token of a type inside the redactor. */
export function tokenOf(type: PiiType): PiiToken {
  return `<PII:${type}>`;
}

/** The placeholder that is stored, hashed and sent to a model instead of a token. */
export function renderToken(token: PiiToken): string {
  return RENDERED[token];
}

/** A count of zero for each type. */
export function createPiiCounts(): PiiCounts {
  return { EMAIL: 0, PHONE: 0, CARD: 0, IBAN: 0, NATIONAL_ID: 0, IP: 0, SECRET: 0 };
}
