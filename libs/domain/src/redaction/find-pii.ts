import type { CountryCode } from 'libphonenumber-js';
import { MAX_SLICE_UNITS, type Sliced } from '../text/sliced.js';
import { detectPii, regionsAround } from './detect-pii.js';
import type { PiiSpan } from './pii-types.js';
import { maskRanges, prepareScanText, type Range, toOriginal } from './scan-text.js';

// What one pass replaces can only expose what stood beside it. Nearly no text needs a third pass; the limit bounds time.
const MAX_PASSES = 8;

/**
 * Spans of `text` in order, without overlaps. A pass after the first detects what an overlap had covered; it reads only
 * around what the pass before replaced, and nearly no text needs one.
 */
export function* findPii(text: string, country: CountryCode, sliceUnits: number = MAX_SLICE_UNITS): Sliced<PiiSpan[]> {
  let scan = yield* prepareScanText(text);
  let regions: Range[] = [{ start: 0, end: scan.text.length }];
  const found: PiiSpan[] = [];
  for (let pass = 0; pass < MAX_PASSES && regions.length > 0; pass += 1) {
    if (pass > 0) yield;
    const spans = yield* detectPii(scan, regions, country, sliceUnits);
    for (const span of spans) {
      found.push({ ...span, start: toOriginal(scan, span.start), end: toOriginal(scan, span.end - 1) + 1 });
    }
    scan = maskRanges(scan, spans);
    regions = regionsAround(masksOf(spans), scan.text.length);
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Where the masks of `spans` are in the text in which they were replaced. */
function masksOf(spans: readonly Range[]): Range[] {
  let shift = 0;
  return spans.map(({ start, end }) => {
    const mask = { start: start - shift, end: start - shift + 1 };
    shift += end - start - 1;
    return mask;
  });
}
