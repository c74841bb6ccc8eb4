import { MAX_SLICE_UNITS, type Sliced } from './sliced.js';

/** A full stop, question or exclamation mark before a blank. */
const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s)/gu;
/** In UTF-16 units: where a cut is looked for, before the end of a slice. */
const MAX_SEARCH_LENGTH = 1_024;

/**
 * The text in pieces of at most `maxUnits` (UTF-16 units); joined they are the text. A piece ends with a line, else with
 * a sentence, else before a blank, where one of these is among its last 1,024 units, and never inside a character.
 */
export function* cutSlices(text: string, maxUnits = MAX_SLICE_UNITS): Generator<string, void> {
  let start = 0;
  while (text.length - start > maxUnits) {
    const end = findCut(text, start, start + maxUnits);
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

/** Works on the slices of a text, one after the other, and yields between two of them. */
export function* workInSlices(text: string, work: (slice: string) => void, maxUnits = MAX_SLICE_UNITS): Sliced<void> {
  let isFirst = true;
  for (const slice of cutSlices(text, maxUnits)) {
    if (!isFirst) yield;
    isFirst = false;
    work(slice);
  }
}

function findCut(text: string, start: number, limit: number): number {
  const from = Math.max(start, limit - MAX_SEARCH_LENGTH);
  const tail = text.slice(from, limit);
  const lineEnd = tail.lastIndexOf('\n') + 1;
  if (lineEnd > 0) return from + lineEnd;
  const sentence = Array.from(tail.matchAll(SENTENCE_END)).at(-1);
  if (sentence) return from + sentence.index + sentence[0].length;
  const blank = tail.search(/\s\S*$/u);
  if (blank > 0) return from + blank;
  const splitsPair = (text.codePointAt(limit - 1) ?? 0) > 0xffff;
  return splitsPair && limit - 1 > start ? limit - 1 : limit;
}

/**
 * A meter of the work on many texts: call it before each with its UTF-16 units; it yields where the texts since the last
 * yield and this one exceed a slice, so that short texts share a slice.
 */
export function createSliceMeter(maxUnits = MAX_SLICE_UNITS): (units: number) => Sliced<void> {
  let used = 0;
  return function* meter(units) {
    if (used > 0 && used + units > maxUnits) {
      used = 0;
      yield;
    }
    used += units;
  };
}
