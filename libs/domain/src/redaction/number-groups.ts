import type { ScanView } from './scan-view.js';

/** Digits in a row, with what stands between them and the group before. Indexes count in the view's text. */
export interface DigitGroup {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly gap: 'none' | 'inline' | 'break';
}

export interface NumberText {
  /** The view's text without dates, times and UUIDs. */
  readonly text: string;
  readonly groups: readonly DigitGroup[];
}

// Up to three separators, so that ") - " and " / " fit.
const INLINE_GAP = /^[ .\-/()_]{1,3}$/;
// A line may be quoted, as in an e-mail.
const LINE_BREAK_GAP = /^[ \t\-.)]{0,2}\r?\n(?:[ \t]{0,4}|> ?)$/;
const MAX_GAP = 8;

/** Groups of digits that begin in the view, and those in its surroundings. */
export function readNumbers(view: ScanView): NumberText {
  const text = maskCommonNumbers(view.text);
  const groups: DigitGroup[] = [];
  let previousEnd = -MAX_GAP;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    groups.push({ start: index, end: index + digits.length, digits, gap: readGap(text, previousEnd, index) });
    previousEnd = index + digits.length;
  }
  return { text, groups };
}

function readGap(text: string, previousEnd: number, start: number): DigitGroup['gap'] {
  if (start - previousEnd > MAX_GAP) return 'none';
  const gap = text.slice(previousEnd, start);
  if (INLINE_GAP.test(gap)) return 'inline';
  return LINE_BREAK_GAP.test(gap) ? 'break' : 'none';
}

// U+E001 replaces each character of a masked number; as neither digit nor separator it ends every number pattern.
const NUMBER_MASK = '\ue001';
const UUID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi;
const YEAR_FIRST = /(?<![\w.-])(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?![-/.]?\d)/g;
const YEAR_LAST =
  /(?<![\w]|\d[-/.])(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)?\d\d(?![-/.]?\d)/g;
const TIME = /(?<![\w:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?![\d:])/g;

/** Hides dates, times and UUIDs from the number patterns: they are digits with separators and not personal. */
function maskCommonNumbers(text: string): string {
  const withoutUuids = text.includes('-') ? text.replace(UUID, mask) : text;
  const withoutTimes = text.includes(':') ? withoutUuids.replace(TIME, mask) : withoutUuids;
  return withoutTimes.replace(YEAR_FIRST, mask).replace(YEAR_LAST, mask);
}

function mask(text: string): string {
  return NUMBER_MASK.repeat(text.length);
}
