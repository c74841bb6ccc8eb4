import type { DigitGroup, NumberText } from '../number-groups.js';
import type { PiiSpan } from '../pii-types.js';
import type { ScanView } from '../scan-view.js';

const RANK = 6;
const MAX_CARD_GROUPS = 5;
const MAX_CARD_DIGITS = 19;
// Lengths of the groups as they are printed: all in one, four each, or 4-6-5 (American Express) and 4-6-4 (Diners Club).
const CARD_GROUPS = /^(?:\d{2}|(?: 4){3,4}(?: [1-4])?| 4 6 [45]| 8 8)$/;

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
export function findCards(view: ScanView, { text, groups }: NumberText): PiiSpan[] {
  return groups.flatMap(({ start }, first) => {
    if (start < view.from || start >= view.to) return [];
    return findCardsAt(text, groups.slice(first, first + MAX_CARD_GROUPS)).map((span) => ({
      ...span,
      start: span.start + view.offset,
      end: span.end + view.offset,
    }));
  });
}

function findCardsAt(text: string, groups: readonly DigitGroup[]): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let [digits, lengths, breaks] = ['', '', 0];
  for (const [index, group] of groups.entries()) {
    if (index > 0 && group.gap === 'none') break;
    if (index > 0 && group.gap === 'break') breaks += 1;
    digits += group.digits;
    lengths += String(group.digits.length).padStart(2);
    if (digits.length > MAX_CARD_DIGITS || breaks > 1) break;
    const { start } = groups[0]!;
    if (isCard(digits) && CARD_GROUPS.test(lengths) && !touchesWord(text, start, group.end)) {
      spans.push({ start, end: group.end, type: 'CARD', rank: RANK });
    }
    if (group.digits.length < 4) break;
  }
  return spans;
}

function isCard(digits: string): boolean {
  return digits.length >= 13 && ISSUERS.some((issuer) => issuer.test(digits)) && passesLuhn(digits);
}

function touchesWord(text: string, start: number, end: number): boolean {
  return /\w/.test(text.charAt(start - 1)) || /\w/.test(text.charAt(end));
}

/** True when the digits end in their Luhn check digit (ISO/IEC 7812). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const weighted = index % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
