import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isLabelledAsIdentifier, isLabelledAsOtherNumber, isLabelledAsPhone } from '../cues.js';
import type { NumberWindow } from '../number-windows.js';
import type { PiiSpan } from '../pii-types.js';

const RANK = 9;
// E.164 allows 15 digits; an access code ("00", "011") and an extension are added to these.
const MAX_SINGLE_DIGITS = 22;
// A number is written in few groups ("+33 1 23 45 67 89"); shorter groups inside a longer run are too ambiguous.
const MAX_GROUPS = 6;
const MIN_INNER_DIGITS = 9;
const MAX_E164_DIGITS = 15;
// How North American numbers are grouped; the library only checks the digits and would accept "20 25 30 35 40".
const NORTH_AMERICAN_GROUPS = /^(?:1\D+)?[2-9]\d{2}\D*\d{3}\D*\d{4}$|^1[2-9]\d{9}$/;
const DECIMAL = /^\d+\.\d+$/;
const YEARS = /^(?:19|20)\d\d(?:\W+(?:19|20)\d\d)+$/;

/**
 * Phone numbers that are valid by libphonenumber, in international form or in that of `country`. If the text before
 * mentions a telephone, seven to fifteen digits are enough: people write numbers of countries that are not configured.
 */
export function findPhones(scanText: string, windows: readonly NumberWindow[], country: CountryCode): PiiSpan[] {
  return windows.flatMap((window) => findInWindow(scanText, window, country));
}

function findInWindow(scanText: string, window: NumberWindow, country: CountryCode): PiiSpan[] {
  const start = includeOpening(scanText, window.start);
  const written = scanText.slice(start, window.end);
  const isInternational = written.startsWith('+') || /^\(?00[1-9]/.test(written);
  if (touchesWord(scanText, start, window.end) || DECIMAL.test(written) || YEARS.test(written)) return [];
  if (!isInternational && isLabelledAsOtherNumber(scanText, start, window.end) && !isLabelledAsPhone(scanText, start))
    return [];
  if (isPhone(written, window.digits, country, isInternational) || isLabelledPhone(scanText, start, window)) {
    return [{ start, end: window.end, type: 'PHONE', rank: RANK }];
  }
  return searchInside(scanText, window, country);
}

function isPhone(written: string, digits: string, country: CountryCode, isInternational: boolean): boolean {
  if (digits.length > MAX_SINGLE_DIGITS) return false;
  if (!isInternational && country === 'US' && !NORTH_AMERICAN_GROUPS.test(written.replace(/^\(/, ''))) return false;
  const number = isInternational ? `+${digits.replace(/^00/, '')}` : written;
  return parsePhoneNumberFromString(number, { defaultCountry: country, extract: false })?.isValid() ?? false;
}

function isLabelledPhone(scanText: string, start: number, { digits, end }: NumberWindow): boolean {
  return (
    digits.length <= MAX_E164_DIGITS &&
    isLabelledAsPhone(scanText, start) &&
    !isLabelledAsIdentifier(scanText, start, end)
  );
}

// The library's own search (findPhoneNumbersInText) takes seconds on 100 kB of digit groups, so the groups of a run
// that is not a number as a whole are tried here, longest first.
function searchInside(scanText: string, window: NumberWindow, country: CountryCode): PiiSpan[] {
  const groups = [...scanText.slice(window.start, window.end).matchAll(/\d+/g)];
  const spans: PiiSpan[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const count = findNumberAt(scanText, window.start, groups.slice(first, first + MAX_GROUPS), country);
    if (count === 0) continue;
    const start = includeOpening(scanText, window.start + (groups[first]?.index ?? 0));
    const last = groups[first + count - 1];
    spans.push({ start, end: window.start + (last?.index ?? 0) + (last?.[0].length ?? 0), type: 'PHONE', rank: RANK });
    first += count - 1;
  }
  return spans;
}

/** How many of `groups`, from the first on, make up a phone number; 0 for none. */
function findNumberAt(
  scanText: string,
  offset: number,
  groups: readonly RegExpExecArray[],
  country: CountryCode,
): number {
  const start = includeOpening(scanText, offset + (groups[0]?.index ?? 0));
  const isInternational = scanText.charAt(start) === '+';
  for (let count = groups.length; count > 0; count -= 1) {
    const written = groups.slice(0, count).map(([group]) => group);
    const digits = written.join('');
    if (digits.length < MIN_INNER_DIGITS || digits.length > MAX_E164_DIGITS) continue;
    if (isPhone(written.join(' '), digits, country, isInternational)) return count;
  }
  return 0;
}

// A window begins with a digit; "+" and "(" before it belong to the number.
function includeOpening(text: string, start: number): number {
  let opening = start;
  while (opening > 0 && start - opening < 2 && '+('.includes(text.charAt(opening - 1))) opening -= 1;
  return opening;
}

// A comma after a digit is part of an amount ("1,234,567.89"); after a word it separates columns.
function touchesWord(text: string, start: number, end: number): boolean {
  return /(?:\w|\d,)$/.test(text.slice(Math.max(0, start - 2), start)) || /[A-Za-z_]/.test(text.charAt(end));
}
