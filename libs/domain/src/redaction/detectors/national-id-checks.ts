// One module per country: the package's entry point loads all of them, which takes 0.4 s.
import { validate as validateCpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as validateIdNr } from 'stdnum/lib/cjs/de/idnr.js';
import { validate as validateDni } from 'stdnum/lib/cjs/es/dni.js';
import { validate as validateNie } from 'stdnum/lib/cjs/es/nie.js';
import { validate as validateNir } from 'stdnum/lib/cjs/fr/nir.js';
import { validate as validateNino } from 'stdnum/lib/cjs/gb/nino.js';
import { validate as validateAadhaar } from 'stdnum/lib/cjs/in/aadhaar.js';
import { validate as validateFiscalCode } from 'stdnum/lib/cjs/it/codicefiscale.js';
import { validate as validateBsn } from 'stdnum/lib/cjs/nl/bsn.js';
import { passesLuhn } from './cards.js';

/** US SSN ranges that were ever issued (SSA: no area 000, 666 or 9xx, no group 00, no serial 0000). No checksum. */
export function isUsSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
}

/** DE tax id: its check digit, and among the first ten digits exactly one occurs two or three times. */
export function isGermanTaxId(digits: string): boolean {
  const first = digits.slice(0, 10);
  const repeated = [...new Set(first)].filter((digit) => first.split(digit).length > 2);
  return repeated.length === 1 && first.split(repeated[0]!).length <= 4 && validateIdNr(digits).isValid;
}

/** FR NIR of 13 digits (Corsica as 2A or 2B) and a key of 2: month and sex plausible. */
export function isFrenchNir(nir: string): boolean {
  return /^[12]\d{2}(?:0[1-9]|1[0-2]|20|3\d|4[0-2]|[5-9]\d)/.test(nir) && validateNir(nir).isValid;
}

/** NL BSN: the "eleven test"; zeros only are not issued. */
export function isDutchBsn(digits: string): boolean {
  return digits !== '000000000' && validateBsn(digits).isValid;
}

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1];

/** PL PESEL: weights 1-3-7-9, and a date whose month carries the century (+20, +40, +60, +80). */
export function isPolishPesel(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const month = String(Number(digits.slice(2, 4)) % 20).padStart(2, '0');
  const sum = PESEL_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return isPossibleMonthDay(month, digits.slice(4, 6)) && sum % 10 === 0;
}

/** SE personnummer in ten digits (coordination numbers add 60 to the day): a date and Luhn. */
export function isSwedishPersonnummer(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false;
  const day = String(Number(digits.slice(4, 6)) % 60).padStart(2, '0');
  return isPossibleMonthDay(digits.slice(2, 4), day) && passesLuhn(digits);
}

/** BR CPF: two check digits mod 11; equal digits are not issued. */
export function isBrazilianCpf(digits: string): boolean {
  return !/^(\d)\1+$/.test(digits) && validateCpf(digits).isValid;
}

/** IN Aadhaar: twelve digits, not beginning with 0 or 1 and no palindrome, Verhoeff. */
export const isIndianAadhaar = (digits: string): boolean => validateAadhaar(digits).isValid;

/** ES DNI (8 digits and a letter) or NIE (X, Y or Z, 7 digits and a letter). */
export function isSpanishId(id: string): boolean {
  return (/^\d/.test(id) ? validateDni(id) : validateNie(id)).isValid;
}

/** UK NINO with its suffix: no checksum; letters and prefixes that HMRC never issued are rejected. */
export const isBritishNino = (id: string): boolean => validateNino(id).isValid;

/** IT codice fiscale with its check letter; digits may be replaced by letters (omocodia). */
export const isItalianFiscalCode = (code: string): boolean => validateFiscalCode(code).isValid;

/** True when month and day (two digits each) can be a date of some year. */
function isPossibleMonthDay(month: string, day: string): boolean {
  const monthNumber = Number(month);
  const dayNumber = Number(day);
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1) return false;
  return dayNumber <= (monthNumber === 2 ? 29 : [4, 6, 9, 11].includes(monthNumber) ? 30 : 31);
}

/** UK NHS number: ten digits, the last of them modulo 11. */
export function isNhsNumber(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false;
  const sum = Array.from(digits.slice(0, 9)).reduce((total, digit, index) => total + (10 - index) * Number(digit), 0);
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}
