import type { CountryCode } from 'libphonenumber-js';
import { MAX_SLICE_UNITS, runAtOnce, type Sliced } from '../text/sliced.js';
import { findPii } from './find-pii.js';
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
  const country = options.defaultCountry ?? 'US';
  const spans = yield* findPii(text, country, sliceUnits);
  const counts = createPiiCounts();
  for (const { type } of spans) counts[type] += 1;
  if (spans.length === 0) return { text, counts };
  const render = (type: PiiType, value: string) => renderValue(type, value, country, options.pseudonymOf);
  return { text: yield* replaceSpans(text, spans, render), counts };
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

/** Numbers are parsed and hashed: this many take about as long as searching a slice. */
const MAX_SPANS_OF_SLICE = 200;

function* replaceSpans(
  text: string,
  spans: readonly PiiSpan[],
  render: (type: PiiType, value: string) => string,
): Sliced<string> {
  let redacted = '';
  let offset = 0;
  for (const [index, { start, end, type }] of spans.entries()) {
    if (index > 0 && index % MAX_SPANS_OF_SLICE === 0) yield;
    redacted += text.slice(offset, start) + render(type, text.slice(start, end));
    offset = end;
  }
  return redacted + text.slice(offset);
}
