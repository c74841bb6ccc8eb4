/** A run of digits with short separators, which is searched for phone, card and id numbers. */
export interface NumberWindow {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

const MIN_DIGITS = 7;
// Up to three separators, so that ") - " and " / " fit; a separator run never contains a digit, so the time is linear.
const RUN = /\d(?:[ .\-/()]{0,3}\d){6,}/g;

/** All windows of at least seven digits. */
export function findNumberWindows(scanText: string): NumberWindow[] {
  return [...scanText.matchAll(RUN)]
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length, digits: run.replace(/\D/g, '') }))
    .filter(({ digits }) => digits.length >= MIN_DIGITS);
}
