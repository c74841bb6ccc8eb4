/** What the redactor recognises. */
export const PII_TYPES = ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'NATIONAL_ID', 'IP', 'SECRET'] as const;
export type PiiType = (typeof PII_TYPES)[number];

/**
 * How many of each type were redacted: all that logs may carry (docs/reference/privacy.md#redaction-before-storage).
 */
export type PiiCounts = Record<PiiType, number>;

/**
 * The token form: it lives inside the redactor only and is never persisted
 * (docs/reference/privacy.md#token-form-of-redacted-values).
 */
export type PiiToken = `<PII:${PiiType}>`;

/** A stretch of text that is personal or secret, in UTF-16 units. */
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

/** Every placeholder as it stands in rendered text. */
export const RENDERED_PLACEHOLDERS: readonly string[] = Object.values(RENDERED);

/** The token that stands for a type inside the redactor. */
export function tokenOf(type: PiiType): PiiToken {
  return `<PII:${type}>`;
}

/** The words that are stored, hashed and sent to a model in place of a token. */
export function renderToken(token: PiiToken): string {
  return RENDERED[token];
}

/** A count of zero for each type. */
export function createPiiCounts(): PiiCounts {
  return { EMAIL: 0, PHONE: 0, CARD: 0, IBAN: 0, NATIONAL_ID: 0, IP: 0, SECRET: 0 };
}
