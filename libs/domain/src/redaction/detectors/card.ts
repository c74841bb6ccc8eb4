import { passesLuhn } from '../checksums/luhn.js';
import type { NumberWindow } from '../number-window.js';
import type { PiiSpan } from '../pii-types.js';

const RANK = 6;
const MAX_GROUPS = 5;

// Issuer prefixes and their lengths (ISO/IEC 7812 registrations of the large schemes).
const ISSUERS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-5]|095|[689]\d)\d{11,16}$/, // Diners Club
  /^(?:6011|64[4-9]\d|65\d\d)\d{12,15}$/, // Discover
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
  /^(?:50|5[6-8]|6[0-9])\d{11,17}$/, // Maestro, RuPay, Elo
  /^220[0-4]\d{12,15}$/, // Mir
];

/** Payment cards: 13 to 19 digits of a known issuer with a valid Luhn digit, compact or in groups of four and more. */
export function findCards(scanText: string, windows: readonly NumberWindow[]): PiiSpan[] {
  return windows.filter(({ digits }) => digits.length >= 13).flatMap((window) => findInWindow(scanText, window));
}

function findInWindow(scanText: string, window: NumberWindow): PiiSpan[] {
  const groups = [...scanText.slice(window.start, window.end).matchAll(/\d+/g)];
  const spans: PiiSpan[] = [];
  for (const [first, group] of groups.entries()) {
    let digits = '';
    for (const next of groups.slice(first, first + MAX_GROUPS)) {
      digits += next[0];
      const start = window.start + group.index;
      const end = window.start + next.index + next[0].length;
      if (digits.length > 19) break;
      if (isCard(digits) && !touchesWord(scanText, start, end)) spans.push({ start, end, type: 'CARD', rank: RANK });
      if (next[0].length < 4) break;
    }
  }
  return spans;
}

function isCard(digits: string): boolean {
  return digits.length >= 13 && ISSUERS.some((issuer) => issuer.test(digits)) && passesLuhn(digits);
}

function touchesWord(text: string, start: number, end: number): boolean {
  return /\w/.test(text.charAt(start - 1)) || /\w/.test(text.charAt(end));
}
