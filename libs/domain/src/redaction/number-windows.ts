import type { PreparedText } from './prepared-text.js';

/** A run of digits with short separators, which is searched for phone, card and id numbers. */
export interface NumberWindow {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

const MIN_DIGITS = 7;
// Up to three separators, so that ") - " and " / " fit; a separator run never contains a digit, so the time is linear.
const RUN = /\d(?:[ .\-/()]{0,3}\d){6,}/g;

export function findNumberWindows(scanText: string): NumberWindow[] {
  return [...scanText.matchAll(RUN)]
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length, digits: run.replace(/\D/g, '') }))
    .filter(({ digits }) => digits.length >= MIN_DIGITS);
}

// U+E001 replaces each character of a masked number; as neither digit nor separator it ends every number pattern.
const MASK = '\ue001';
const UUID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi;
const YEAR_FIRST = /(?<![\w.-])(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?![-/.]?\d)/g;
const YEAR_LAST =
  /(?<![\w]|\d[-/.])(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)?\d\d(?![-/.]?\d)/g;
const TIME = /(?<![\w:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?![\d:])/g;

/** Hides dates, times and UUIDs from the number patterns: they are digits with separators and not personal. */
export function maskCommonNumbers(prepared: PreparedText): string {
  const withoutUuids = prepared.hasDash ? prepared.scanText.replace(UUID, mask) : prepared.scanText;
  const withoutTimes = prepared.colonCount > 0 ? withoutUuids.replace(TIME, mask) : withoutUuids;
  return withoutTimes.replace(YEAR_FIRST, mask).replace(YEAR_LAST, mask);
}

function mask(text: string): string {
  return MASK.repeat(text.length);
}
