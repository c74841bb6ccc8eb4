import { countrySpecs, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 4;
const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const ALPHANUMERIC = /[A-Za-z0-9]/;
// Between groups: a sign, or a line break with the quote sign of an e-mail.
const GAP = / ?\r?\n(?:> ?)?|[ .-]/y;

/** IBANs of a registered country in its length with a valid mod 97 check, compact or in groups. */
export function findIbans(view: ScanView, text: string): PiiSpan[] {
  return matchesIn(view, START, text).flatMap(({ 0: start, index }) => {
    const length = countrySpecs[start.slice(0, 2).toUpperCase()]?.chars ?? undefined;
    const end = length === undefined ? -1 : findIbanEnd(text, index, length);
    if (end < 0) return [];
    return [{ start: index + view.offset, end: end + view.offset, type: 'IBAN', rank: RANK }];
  });
}

function findIbanEnd(text: string, start: number, length: number): number {
  let iban = '';
  let end = start;
  let breaks = 0;
  while (iban.length < length && end < text.length) {
    const character = text.charAt(end);
    if (ALPHANUMERIC.test(character)) {
      iban += character;
      end += 1;
      continue;
    }
    GAP.lastIndex = end;
    const gap = GAP.exec(text)?.[0];
    if (gap === undefined) return -1;
    if (gap.includes('\n')) breaks += 1;
    end += gap.length;
    if (breaks > 1 || !ALPHANUMERIC.test(text.charAt(end))) return -1;
  }
  const isWhole = iban.length === length && !ALPHANUMERIC.test(text.charAt(end));
  return isWhole && isIban(iban.toUpperCase()) ? end : -1;
}

/**
 * True when an upper-case IBAN without spaces has the form of its country and satisfies ISO 7064 mod 97-10. A bank's own
 * check digits inside of it are not required: not all banks of a country have them, and a miss is a leak.
 */
export function isIban(iban: string): boolean {
  const { valid, errorCodes } = validateIBAN(iban);
  return valid || errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
}
