import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isLabelledAsIdentifier, isLabelledAsOtherNumber, isLabelledAsPhone } from '../cues.js';
import type { DigitGroup, NumberText } from '../number-groups.js';
import type { PiiSpan } from '../pii-types.js';
import type { ScanView } from '../scan-view.js';
import { isNationalNumber } from './national-numbers.js';

const RANK = 9;
const MIN_DIGITS = 7;
// E.164 allows 15 digits; an access code ("00", "011") and an extension are added to these.
const MAX_RUN_DIGITS = 22;
// A number is written in few groups ("+33 1 23 45 67 89"); shorter groups inside a longer run are too ambiguous.
const MAX_GROUPS = 6;
const MIN_INNER_DIGITS = 9;
const MAX_E164_DIGITS = 15;
// How North American numbers are grouped; the metadata only checks the digits and would accept "20 25 30 35 40".
const NORTH_AMERICAN_GROUPS = /^(?:1\D+)?[2-9]\d{2}(?:\D+\d{3}\D+\d{4}|\D*\d{7})$|^1[2-9]\d{9}$/;
const ACCESS_CODE = /^\(?00(?=[1-9])/;
const NORTH_AMERICAN_ACCESS_CODE = /^\(?0(?:0|11)(?=\D?[1-9])/;
const DECIMAL = /^\d+\.\d+$/;
const YEARS = /^(?:19|20)\d\d(?:\W+(?:19|20)\d\d)+$/;
// The largest numbers of 32 bits look like numbers of Dallas.
const COMPUTER_LIMIT = /^214748364[78]$/;
const ROUND_AMOUNT = /^\d{1,3}(?:[ .,]000)+$/;

/**
 * Phone numbers that are valid by libphonenumber, in international form or in that of `country`. If the text before
 * mentions a telephone, seven to fifteen digits are enough: people write numbers of other countries.
 */
export function findPhones(view: ScanView, numbers: NumberText, country: CountryCode): PiiSpan[] {
  const spans: PiiSpan[] = [];
  const runs = readRuns(numbers.groups);
  for (const [index, groups] of runs.entries()) {
    const isShort = countDigits(groups) <= MAX_RUN_DIGITS;
    // A short run counts where it begins, the groups of a long one each for itself.
    const anchors = isShort ? groups.slice(0, 1) : groups;
    for (const [anchor, { start }] of anchors.entries()) {
      if (start < view.from || start >= view.to) continue;
      if (!isShort) spans.push(...findAt(numbers.text, groups, anchor, country));
      else
        spans.push(
          ...findInRun(numbers.text, groups, country),
          ...findBroken(numbers.text, groups, runs[index + 1], country),
        );
    }
  }
  return spans.map((span) => ({ ...span, start: span.start + view.offset, end: span.end + view.offset }));
}

/** Groups that follow each other with separators on one line. */
function readRuns(groups: readonly DigitGroup[]): DigitGroup[][] {
  const runs: DigitGroup[][] = [];
  for (const group of groups) {
    if (group.gap === 'inline') runs.at(-1)?.push(group);
    else runs.push([group]);
  }
  return runs;
}

/** A number that begins with "+" or "(" and continues on the next line. */
function findBroken(
  text: string,
  groups: readonly DigitGroup[],
  next: readonly DigitGroup[] | undefined,
  country: CountryCode,
): PiiSpan[] {
  if (next?.[0]?.gap !== 'break' || !'+('.includes(text.charAt(groups[0]!.start - 1) || ' ')) return [];
  const whole = toCandidate(text, [...groups, ...next.slice(0, MAX_GROUPS)], country);
  return !isPhone(whole, country) || isOtherNumber(text, whole) ? [] : [toSpan(whole)];
}

function countDigits(groups: readonly DigitGroup[]): number {
  return groups.reduce((sum, { digits }) => sum + digits.length, 0);
}

function findInRun(text: string, groups: readonly DigitGroup[], country: CountryCode): PiiSpan[] {
  const whole = toCandidate(text, groups, country);
  if (countDigits(groups) < MIN_DIGITS) return [];
  const isWhole = isPhone(whole, country) || isLabelledPhone(text, whole);
  const spans = isWhole ? [toSpan(whole)] : groups.flatMap((_, index) => findAt(text, groups, index, country));
  return spans.length > 0 && isOtherNumber(text, whole) ? [] : spans;
}

/** The longest number that begins with the group at `index` of a run. */
function findAt(text: string, groups: readonly DigitGroup[], index: number, country: CountryCode): PiiSpan[] {
  for (let count = Math.min(MAX_GROUPS, groups.length - index); count > 0; count -= 1) {
    const candidate = toCandidate(text, groups.slice(index, index + count), country);
    const { length } = candidate.digits;
    if (length < MIN_INNER_DIGITS || length > MAX_E164_DIGITS) continue;
    if (isPhone(candidate, country) && !isOtherNumber(text, candidate)) return [toSpan(candidate)];
  }
  return [];
}

interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly written: string;
  readonly isInternational: boolean;
}

function toCandidate(text: string, groups: readonly DigitGroup[], country: CountryCode): Candidate {
  const start = includeOpening(text, groups[0]!.start);
  const end = groups.at(-1)!.end;
  const written = text.slice(start, end);
  const isInternational = written.startsWith('+') || written.startsWith('(+') || accessCodeOf(country).test(written);
  return { start, end, digits: groups.map(({ digits }) => digits).join(''), written, isInternational };
}

function accessCodeOf(country: CountryCode): RegExp {
  return country === 'US' || country === 'CA' ? NORTH_AMERICAN_ACCESS_CODE : ACCESS_CODE;
}

function isOtherNumber(text: string, { start, end, written, isInternational }: Candidate): boolean {
  if (
    touchesWord(text, start, end) ||
    DECIMAL.test(written) ||
    YEARS.test(written) ||
    ROUND_AMOUNT.test(written) ||
    COMPUTER_LIMIT.test(written)
  )
    return true;
  return !isInternational && isLabelledAsOtherNumber(text, start, end) && !isLabelledAsPhone(text, start);
}

function isPhone({ digits, written, isInternational }: Candidate, country: CountryCode): boolean {
  if (digits.length > MAX_RUN_DIGITS || written.includes('_')) return false;
  if (isInternational) {
    const number = `+${digits.replace(accessCodeOf(country), '')}`;
    return parsePhoneNumberFromString(number, { extract: false })?.isValid() ?? false;
  }
  if (country === 'US' && !NORTH_AMERICAN_GROUPS.test(written.replace(/^\(/, ''))) return false;
  return isNationalNumber(digits, country);
}

function isLabelledPhone(text: string, { digits, written, start, end }: Candidate): boolean {
  if (digits.length > MAX_E164_DIGITS || written.includes('_')) return false;
  if (/[[`/]/.test(text.charAt(start - 1))) return false;
  return isLabelledAsPhone(text, start) && !isLabelledAsIdentifier(text, start, end);
}

function toSpan({ start, end }: Candidate): PiiSpan {
  return { start, end, type: 'PHONE', rank: RANK };
}

// A group begins with a digit; "+" and "(" before it belong to the number.
function includeOpening(text: string, start: number): number {
  let opening = start;
  while (opening > 0 && start - opening < 2 && '+('.includes(text.charAt(opening - 1))) opening -= 1;
  return opening;
}

// A comma between a digit and three digits is part of an amount ("1,234,567.89"); elsewhere it separates columns.
const AMOUNT_PART = /^\d{3}(?![\d \-/()])/;

function touchesWord(text: string, start: number, end: number): boolean {
  if (/\w/.test(text.charAt(start - 1)) || /[A-Za-z_]/.test(text.charAt(end))) return true;
  return /\d,$/.test(text.slice(Math.max(0, start - 2), start)) && AMOUNT_PART.test(text.slice(start, start + 4));
}
