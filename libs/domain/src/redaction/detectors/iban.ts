import { lookUpIbanLength, passesIbanCheck } from '../checksums/iban.js';
import type { PiiSpan } from '../pii-types.js';

const RANK = 4;
const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g;
const ALPHANUMERIC = /[A-Za-z0-9]/;

/** IBANs of a registered country in its length with a valid mod 97 check, compact or in groups. */
export function findIbans(scanText: string): PiiSpan[] {
  return [...scanText.matchAll(START)].flatMap(({ 0: start, index }) => {
    const length = lookUpIbanLength(start.slice(0, 2).toUpperCase());
    const end = length === undefined ? -1 : findIbanEnd(scanText, index, length);
    return end > 0 ? [{ start: index, end, type: 'IBAN', rank: RANK }] : [];
  });
}

function findIbanEnd(text: string, start: number, length: number): number {
  let iban = '';
  let end = start;
  while (iban.length < length && end < text.length) {
    const character = text.charAt(end);
    if (ALPHANUMERIC.test(character)) iban += character;
    else if (!' -'.includes(character) || !ALPHANUMERIC.test(text.charAt(end - 1))) return -1;
    end += 1;
  }
  const isWhole = iban.length === length && !ALPHANUMERIC.test(text.charAt(end));
  return isWhole && passesIbanCheck(iban.toUpperCase()) ? end : -1;
}
