import type { DigitGroup, NumberText } from '../number-groups.js';
import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const CARD_RANK = 6;
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
      spans.push({ start, end: group.end, type: 'CARD', rank: CARD_RANK });
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

const IBAN_RANK = 4;
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const ALPHANUMERIC = /[A-Za-z0-9]/;
// Between groups: a sign, or a line break with the quote sign of an e-mail.
const IBAN_GAP = / ?\r?\n(?:> ?)?|[ .-]/y;

/** IBANs of a registered country in its length with a valid mod 97 check, compact or in groups. */
export function findIbans(view: ScanView, text: string): PiiSpan[] {
  return matchesIn(view, IBAN_START, text).flatMap(({ 0: start, index }) => {
    const length = IBAN_LENGTHS.get(start.slice(0, 2).toUpperCase());
    const end = length === undefined ? -1 : findIbanEnd(text, index, length);
    if (end < 0) return [];
    return [{ start: index + view.offset, end: end + view.offset, type: 'IBAN', rank: IBAN_RANK }];
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
    IBAN_GAP.lastIndex = end;
    const gap = IBAN_GAP.exec(text)?.[0];
    if (gap === undefined) return -1;
    if (gap.includes('\n')) breaks += 1;
    end += gap.length;
    if (breaks > 1 || !ALPHANUMERIC.test(text.charAt(end))) return -1;
  }
  const isWhole = iban.length === length && !ALPHANUMERIC.test(text.charAt(end));
  return isWhole && passesIbanCheck(iban.toUpperCase()) ? end : -1;
}

// Total lengths by country, without spaces, from the SWIFT IBAN registry, release 99.
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** True when an upper-case IBAN without spaces satisfies ISO 7064 mod 97-10. */
export function passesIbanCheck(iban: string): boolean {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
