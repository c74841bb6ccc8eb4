import { MAX_SLICE_UNITS, type Sliced } from '../text/sliced.js';
import { foldSigns, IGNORABLE } from './fold-text.js';
import { PLACEHOLDER_PATTERN } from './placeholders.js';

/**
 * What the detectors read: the text with digits, dashes, spaces and line breaks of all kinds in their ASCII form, without
 * hidden characters, and with each placeholder as one `MASK`. A placeholder of any length then leaves the same text around it, which
 * is why redacting a redacted text finds nothing more.
 */
export interface ScanText {
  readonly text: string;
  /** Where runs of `text` begin, ascending from 0, and the position of each in the original text. */
  readonly runs: readonly number[];
  readonly originals: readonly number[];
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** U+E000 is neither letter nor digit nor separator: no pattern matches across it. */
const MASK = '\ue000';
/** More than visible ASCII characters, blanks, tabs and LF. */
const FOLDED = /[^\t\n\u0020-\u007e]/;
const MAX_PLACEHOLDER_UNITS = 64;

export function* prepareScanText(text: string): Sliced<ScanText> {
  const folded = yield* foldText(text);
  const placeholders = yield* findPlaceholders(folded.text);
  return placeholders.length === 0 ? folded : maskRanges(folded, placeholders);
}

/** The position in the original text of a position in `scan.text`. */
export function toOriginal({ runs, originals }: ScanText, offset: number): number {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return originals[low]! + offset - runs[low]!;
}

/** `scan` with one `MASK` in place of each range. Ranges are in order and do not overlap. */
export function maskRanges(scan: ScanText, ranges: readonly Range[]): ScanText {
  const parts: string[] = [];
  const runs: number[] = [];
  const originals: number[] = [];
  let [length, run, kept] = [0, 0, 0];
  const keep = (start: number, end: number) => {
    while (run + 1 < scan.runs.length && scan.runs[run + 1]! <= start) run += 1;
    runs.push(length);
    originals.push(scan.originals[run]! + start - scan.runs[run]!);
    for (let next = run + 1; next < scan.runs.length && scan.runs[next]! < end; next += 1) {
      runs.push(length + scan.runs[next]! - start);
      originals.push(scan.originals[next]!);
    }
    parts.push(scan.text.slice(start, end));
    length += end - start;
  };
  for (const { start, end } of ranges) {
    if (start > kept) keep(kept, start);
    runs.push(length);
    originals.push(toOriginal(scan, start));
    parts.push(MASK);
    length += 1;
    kept = end;
  }
  keep(kept, scan.text.length);
  return { text: parts.join(''), runs, originals };
}

function* foldText(written: string): Sliced<ScanText> {
  // A hidden character between two lone surrogates must not make a character of them.
  const text = written.toWellFormed();
  const parts: string[] = [];
  const runs: number[] = [0];
  const originals: number[] = [0];
  let length = 0;
  for (let from = 0, to = 0; from < text.length; from = to) {
    if (from > 0) yield;
    to = endOfSlice(text, from + MAX_SLICE_UNITS);
    const slice = text.slice(from, to);
    if (!FOLDED.test(slice)) {
      parts.push(slice);
      length += slice.length;
      continue;
    }
    let start = 0;
    for (const { 0: ignored, index } of slice.matchAll(IGNORABLE)) {
      parts.push(foldSigns(slice.slice(start, index)));
      length += index - start;
      start = index + ignored.length;
      runs.push(length);
      originals.push(from + start);
    }
    parts.push(foldSigns(slice.slice(start)));
    length += slice.length - start;
  }
  return { text: parts.join(''), runs, originals };
}

/** Behind `end`, if a surrogate pair or a CR LF would be cut there. */
function endOfSlice(text: string, end: number): number {
  const isCut = (text.codePointAt(end - 1) ?? 0) > 0xffff || (text[end - 1] === '\r' && text[end] === '\n');
  return isCut ? end + 1 : end;
}

function* findPlaceholders(text: string): Sliced<Range[]> {
  const ranges: Range[] = [];
  for (let from = 0; from < text.length; from += MAX_SLICE_UNITS) {
    if (from > 0) yield;
    const slice = text.slice(from, from + MAX_SLICE_UNITS + MAX_PLACEHOLDER_UNITS);
    if (!slice.includes('[')) continue;
    for (const { 0: placeholder, index } of slice.matchAll(PLACEHOLDER_PATTERN)) {
      if (index < MAX_SLICE_UNITS) ranges.push({ start: from + index, end: from + index + placeholder.length });
    }
  }
  return ranges;
}
