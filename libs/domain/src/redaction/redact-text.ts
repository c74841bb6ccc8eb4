import type { CountryCode } from 'libphonenumber-js';
import { detectPii } from './detect-pii.js';
import { createPiiCounts, type PiiCounts, type PiiSpan, PLACEHOLDERS } from './pii-types.js';

export interface RedactionOptions {
  /** Country whose national phone formats are tried, besides international ones. ISO 3166-1 alpha-2, Default: `US`. */
  readonly defaultCountry?: CountryCode;
}

export interface Redaction {
  /** The text with placeholders such as `[redacted email]`: what is stored, hashed and sent to a model. */
  readonly text: string;
  readonly counts: PiiCounts;
}

// A pass after the first detects what an overlap had covered; nearly no text needs one. The limit bounds the time.
const MAX_PASSES = 8;

/**
 * Replaces personal data and secrets (docs/reference/privacy.md#redaction-before-storage). Pure, deterministic, linear
 * in the length of the text, and idempotent: redacting the result again changes nothing and counts nothing.
 */
export function redactText(text: string, options: RedactionOptions = {}): Redaction {
  const counts = createPiiCounts();
  const country = options.defaultCountry ?? 'US';
  let redacted = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const spans = detectPii(redacted, country);
    if (spans.length === 0) break;
    for (const { type } of spans) counts[type] += 1;
    redacted = replaceSpans(redacted, spans);
  }
  return { text: redacted, counts };
}

function replaceSpans(text: string, spans: readonly PiiSpan[]): string {
  let redacted = '';
  let offset = 0;
  for (const { start, end, type } of spans) {
    redacted += text.slice(offset, start) + PLACEHOLDERS[`<PII:${type}>`];
    offset = end;
  }
  return redacted + text.slice(offset);
}
