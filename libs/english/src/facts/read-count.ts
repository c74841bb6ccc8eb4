import { NUMBER_WORDS } from '../words/word-lists.js';
import type { FactToken } from './fact-tokens.js';

/** A number in figures or words at a token; `next` is the index behind it. */
export interface Count {
  readonly value: string;
  readonly next: number;
}

const TEENS = 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const UNITS: ReadonlyMap<string, number> = new Map([
  ...NUMBER_WORDS.map((word, value) => [word, value] as const),
  ...TEENS.map((word, index) => [word, 13 + index] as const),
]);
const TENS_VALUES: ReadonlyMap<string, number> = new Map(TENS.map((word, index) => [word, 20 + 10 * index]));
const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['mio', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
]);
const FIGURES = /^\d[\d.,]*$/u;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u;
const DECIMAL_COMMA = /^\d+,\d{1,2}$/u;

/** Null where no number begins; "a dozen" is 12. */
export function readCount(tokens: readonly FactToken[], at: number): Count | null {
  const token = tokens[at];
  if (!token || token.isMark) return null;
  if (FIGURES.test(token.lower)) return readMagnitude(tokens, parseFigures(token.lower), at + 1);
  if (token.lower === 'dozen') return { value: '12', next: at + 1 };
  return readWords(tokens, at);
}

function parseFigures(figures: string): string {
  const plain = GROUPED.test(figures)
    ? figures.replaceAll(',', '')
    : DECIMAL_COMMA.test(figures)
      ? figures.replace(',', '.')
      : figures;
  // "2.4.1" and numbers too long to be exact are compared as they are written.
  return /^\d{1,15}(?:\.\d{1,6})?$/u.test(plain) ? String(Number(plain)) : plain;
}

function readMagnitude(tokens: readonly FactToken[], value: string, next: number): Count {
  const factor = MAGNITUDES.get(tokens[next]?.lower ?? '');
  const amount = Number(value);
  if (factor === undefined || Number.isNaN(amount)) return { value, next };
  return { value: String(Number((amount * factor).toPrecision(12))), next: next + 1 };
}

/** "Twenty-five", "two hundred and fifty", "three thousand". */
function readWords(tokens: readonly FactToken[], at: number): Count | null {
  let [total, current, next] = [0, 0, at];
  let last: 'none' | 'unit' | 'tens' | 'magnitude' = 'none';
  for (let token = tokens[next]; token && !token.isMark; token = tokens[next]) {
    const unit = UNITS.get(token.lower);
    const tens = TENS_VALUES.get(token.lower);
    const magnitude = MAGNITUDES.get(token.lower);
    if (unit !== undefined && last !== 'unit' && (last !== 'tens' || unit < 10)) {
      current += unit;
      last = 'unit';
    } else if (tens !== undefined && (last === 'none' || last === 'magnitude')) {
      current += tens;
      last = 'tens';
    } else if (magnitude !== undefined && token.lower.length > 2 && last !== 'none') {
      if (magnitude === 100) current *= 100;
      else [total, current] = [total + current * magnitude, 0];
      last = 'magnitude';
    } else if (token.lower === 'and' && last === 'magnitude' && isNumberWord(tokens[next + 1])) {
      next += 1;
      continue;
    } else break;
    next += 1;
  }
  return last === 'none' ? null : { value: String(total + current), next };
}

function isNumberWord(token: FactToken | undefined): boolean {
  return token !== undefined && (UNITS.has(token.lower) || TENS_VALUES.has(token.lower));
}

const ORDINAL_WORDS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

/** "Third", "3rd". */
export function readOrdinal(tokens: readonly FactToken[], at: number): Count | null {
  const token = tokens[at];
  if (!token || token.isMark) return null;
  const index = ORDINAL_WORDS.indexOf(token.lower);
  if (index > 0) return { value: String(index), next: at + 1 };
  const suffix = tokens[at + 1];
  const isFigure =
    /^\d{1,4}$/u.test(token.lower) && suffix?.isJoined === true && /^(?:st|nd|rd|th)$/u.test(suffix.lower);
  return isFigure ? { value: token.lower, next: at + 2 } : null;
}
