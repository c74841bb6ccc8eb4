import type { CountryCode } from 'libphonenumber-js';
import { MAX_SLICE_UNITS, runAtOnce, type Sliced } from '../text/sliced.js';
import { findPii } from './find-pii.js';
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

/** `redactSliced` in one go: for short texts, and where no event loop waits. */
export function redactText(text: string, options: RedactionOptions = {}): Redaction {
  return runAtOnce(redactSliced(text, options));
}

/**
 * Replaces personal data and secrets (docs/reference/privacy.md#redaction-before-storage), in slices of at most
 * `sliceUnits`. Pure, deterministic, linear in the length of the text, the same wherever slices are cut, and idempotent:
 * redacting the result again changes nothing and counts nothing.
 */
export function* redactSliced(
  text: string,
  options: RedactionOptions = {},
  sliceUnits: number = MAX_SLICE_UNITS,
): Sliced<Redaction> {
  const spans = yield* findPii(text, options.defaultCountry ?? 'US', sliceUnits);
  const counts = createPiiCounts();
  for (const { type } of spans) counts[type] += 1;
  return { text: spans.length === 0 ? text : replaceSpans(text, spans), counts };
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
