import type { CountryCode } from 'libphonenumber-js';
import { detectPii } from './detect-pii.js';
import { createPiiCounts, type PiiCounts, type PiiSpan, type PiiToken, renderToken, tokenOf } from './pii-types.js';

/** What is known about the text's origin. */
export interface RedactionOptions {
  /** Country whose national phone formats are tried, besides international ones. ISO 3166-1 alpha-2, Default: `US`. */
  readonly defaultCountry?: CountryCode;
}

/** A redacted text. */
export interface Redaction {
  /** The text with placeholders such as `[redacted email]`: what is stored, hashed and sent to a model. */
  readonly text: string;
  readonly counts: PiiCounts;
}

/** Either unchanged text or a token; separate, so that a typed token form is never mistaken for a token. */
type Piece = { readonly words: string } | { readonly token: PiiToken };

// One pass is enough for nearly every text; a later pass detects what an overlap had covered. The limit only bounds the
// time.
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
    redacted = renderPieces(cutPieces(redacted, spans));
  }
  return { text: redacted, counts };
}

function cutPieces(text: string, spans: readonly PiiSpan[]): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const { start, end, type } of spans) {
    pieces.push({ words: text.slice(offset, start) }, { token: tokenOf(type) });
    offset = end;
  }
  pieces.push({ words: text.slice(offset) });
  return pieces;
}

function renderPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('token' in piece ? renderToken(piece.token) : piece.words)).join('');
}
