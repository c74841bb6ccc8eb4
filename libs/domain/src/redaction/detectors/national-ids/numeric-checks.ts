import { isPossibleMonthDay } from '../../checksums/dates.js';
import { passesLuhn } from '../../checksums/luhn.js';
import { passesVerhoeff } from '../../checksums/verhoeff.js';
import { remainderOf, sumWeighted } from '../../checksums/weighted.js';

/** US SSN ranges that were ever issued (SSA: no area 000, 666 or 9xx, no group 00, no serial 0000). No checksum. */
export function isUsSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
}

/** DE tax id: ISO 7064 mod 11,10, and among the first ten digits exactly one occurs two or three times. */
export function isGermanTaxId(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const counts = Array.from('0123456789').map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

/** FR NIR of 13 digits (Corsica as 2A or 2B) and a key of 2: key = 97 - n mod 97, month and sex plausible. */
export function isFrenchNir(nir: string): boolean {
  if (!/^[12]\d{2}(?:0[1-9]|1[0-2]|20|3\d|4[0-2]|[5-9]\d)(?:\d{2}|2[AB])\d{8}$/.test(nir)) return false;
  const numeric = nir.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - remainderOf(numeric, 97) === Number(nir.slice(13));
}

/** NL BSN: the "eleven test" with the last digit counting -1. */
export function isDutchBsn(digits: string): boolean {
  return (
    /^\d{9}$/.test(digits) && digits !== '000000000' && sumWeighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
  );
}

/** PL PESEL: weights 1-3-7-9, and a date whose month carries the century (+20, +40, +60, +80). */
export function isPolishPesel(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const month = String(Number(digits.slice(2, 4)) % 20).padStart(2, '0');
  const sum = sumWeighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
  return isPossibleMonthDay(month, digits.slice(4, 6)) && (10 - (sum % 10)) % 10 === Number(digits[10]);
}

/** SE personnummer in ten digits (coordination numbers add 60 to the day): a date and Luhn. */
export function isSwedishPersonnummer(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false;
  const day = String(Number(digits.slice(4, 6)) % 60).padStart(2, '0');
  return isPossibleMonthDay(digits.slice(2, 4), day) && passesLuhn(digits);
}

/** BR CPF: two check digits mod 11; equal digits are not issued. */
export function isBrazilianCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  return (
    computeCpfDigit(digits.slice(0, 9)) === Number(digits[9]) &&
    computeCpfDigit(digits.slice(0, 10)) === Number(digits[10])
  );
}

function computeCpfDigit(digits: string): number {
  const weights = Array.from(digits, (_, index) => digits.length + 1 - index);
  return ((sumWeighted(digits, weights) * 10) % 11) % 10;
}

/** IN Aadhaar: twelve digits, not beginning with 0 or 1, Verhoeff. */
export function isIndianAadhaar(digits: string): boolean {
  return /^[2-9]\d{11}$/.test(digits) && passesVerhoeff(digits);
}
