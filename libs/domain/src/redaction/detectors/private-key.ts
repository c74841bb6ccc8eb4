import type { PiiSpan } from '../pii-types.js';

const RANK = 1;
const OPENING = '-----BEGIN ';
const CLOSING = '-----END ';
const LABEL = /^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const CLOSING_LABEL = /^[A-Z0-9 ]{0,60}-----/;
const MAX_LABEL = 80;
// Lines of Base64 with their (possibly escaped) line ends: the rest of a key whose end is missing.
const KEY_BODY = /(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,})*/y;

/** PEM private keys; one without its end line is redacted as far as it is Base64. */
export function findPrivateKeys(scanText: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let start = scanText.indexOf(OPENING);
  while (start >= 0) {
    const label = LABEL.exec(scanText.slice(start + OPENING.length, start + OPENING.length + MAX_LABEL));
    const end = label ? findKeyEnd(scanText, start + OPENING.length + label[0].length) : start + OPENING.length;
    if (label) spans.push({ start, end, type: 'SECRET', rank: RANK });
    start = scanText.indexOf(OPENING, end);
  }
  return spans;
}

function findKeyEnd(text: string, bodyStart: number): number {
  const nextOpening = text.indexOf(OPENING, bodyStart);
  const limit = nextOpening < 0 ? text.length : nextOpening;
  const closing = text.slice(bodyStart, limit).indexOf(CLOSING);
  if (closing < 0) {
    KEY_BODY.lastIndex = bodyStart;
    return bodyStart + (KEY_BODY.exec(text)?.[0].trimEnd().length ?? 0);
  }
  const labelStart = bodyStart + closing + CLOSING.length;
  return labelStart + (CLOSING_LABEL.exec(text.slice(labelStart, labelStart + MAX_LABEL))?.[0].length ?? 0);
}
