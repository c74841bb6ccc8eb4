import type { PiiSpan } from '../pii-types.js';
import type { ScanView } from '../scan-view.js';

const RANK = 1;
const OPENING = '-----BEGIN ';
const CLOSING = '-----END ';
const LABEL = /^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const CLOSING_LABEL = /^[A-Z0-9 ]{0,60}-----/;
const MAX_LABEL = 80;
// A PEM file of an RSA key of 16 384 bits has about 12 700 signs.
const MAX_BODY = 16_000;
// Lines of Base64 with their (possibly escaped) line ends: the rest of a key whose end is missing.
const KEY_BODY = /^(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,})*/;

/** PEM and PGP private keys; one without its end line is redacted as far as it is Base64. */
export function findPrivateKeys({ text, from, to, offset, whole }: ScanView): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (let start = text.indexOf(OPENING, from); start >= 0 && start < to; start = text.indexOf(OPENING, start + 1)) {
    const labelStart = start + OPENING.length;
    const label = LABEL.exec(text.slice(labelStart, labelStart + MAX_LABEL));
    if (!label) continue;
    const bodyStart = offset + labelStart + label[0].length;
    spans.push({ start: offset + start, end: findKeyEnd(whole, bodyStart), type: 'SECRET', rank: RANK });
  }
  return spans;
}

function findKeyEnd(text: string, bodyStart: number): number {
  const rest = text.slice(bodyStart, bodyStart + MAX_BODY);
  const nextOpening = rest.indexOf(OPENING);
  const body = nextOpening < 0 ? rest : rest.slice(0, nextOpening);
  const closing = body.indexOf(CLOSING);
  if (closing < 0) return bodyStart + (KEY_BODY.exec(body)?.[0].trimEnd().length ?? 0);
  const labelStart = closing + CLOSING.length;
  const label = CLOSING_LABEL.exec(body.slice(labelStart, labelStart + MAX_LABEL));
  return bodyStart + labelStart + (label?.[0].length ?? 0);
}
