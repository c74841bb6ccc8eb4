import type { CountryCode } from 'libphonenumber-js';
import { detectPii } from './detect-pii.js';
import { normalizePii } from './normalize-pii.js';
import { createPiiCounts, type PiiCounts, type PiiSpan, type PiiType } from './pii-types.js';
import { isPseudonymous, renderPlaceholder } from './placeholders.js';

export interface RedactionOptions {
  /** Country whose national phone formats are tried, besides international ones. ISO 3166-1 alpha-2, Default: `US`. */
  readonly defaultCountry?: CountryCode;
  /**
   * The pseudonym of a value as `normalizePii` gives it: 16 lower-case hex digits, at least one of them a letter
   * (`createPseudonyms`). Without it, all values of a type have the same placeholder.
   */
  readonly pseudonymOf?: (type: PiiType, normalized: string) => string;
}

export interface Redaction {
  /** The text with placeholders such as `[email 7f3a9c21d04be5f8]`: what is stored, hashed and sent to a model. */
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
    redacted = replaceSpans(redacted, spans, (type, value) => renderValue(type, value, country, options.pseudonymOf));
  }
  return { text: redacted, counts };
}

function renderValue(
  type: PiiType,
  value: string,
  country: CountryCode,
  pseudonymOf: RedactionOptions['pseudonymOf'],
): string {
  if (!pseudonymOf) return renderPlaceholder(type, null);
  const normalized = normalizePii(type, value, country);
  return renderPlaceholder(type, isPseudonymous(type, normalized) ? pseudonymOf(type, normalized) : null);
}

function replaceSpans(
  text: string,
  spans: readonly PiiSpan[],
  render: (type: PiiType, value: string) => string,
): string {
  let redacted = '';
  let offset = 0;
  for (const { start, end, type } of spans) {
    redacted += text.slice(offset, start) + render(type, text.slice(start, end));
    offset = end;
  }
  return redacted + text.slice(offset);
}
