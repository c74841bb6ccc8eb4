import { indexOfMonth, indexOfWeekday } from '../dates/date-words.js';
import type { FactToken } from './fact-tokens.js';
import { readCount, readOrdinal } from './read-count.js';

/** A time as a text names it, with the tokens `from` to `to` (excluded). */
export interface NamedDate {
  readonly from: number;
  readonly to: number;
  /** "2023-05-08", "--05-08", "Tue 2023-05-09", "summer 2024", "last week", "1990s". */
  readonly value: string;
  /** A date that names all of these, and more, is the same one, more exact. */
  readonly parts: readonly string[];
}

const MONTH_NAME =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/u;
const WEEKDAY_NAME = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/u;
/** "Sat" and "sun" are words as well. */
const SHORT_WEEKDAY = /^(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)$/u;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** "Moving in june". */
const BEFORE_MONTH = /^(?:in|since|until|till|by|of|from|during|next|last|early|late|mid)$/u;
const SEASON = /^(?:spring|summer|autumn|fall|winter)$/u;
const YEAR = /^(?:19|20)\d\d$/u;
const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u;
const FIGURE_DATE = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/u;
const NEAR_DAY = /^(?:yesterday|today|tonight|tomorrow)$/u;
const WHICH = /^(?:last|next|this|past)$/u;
const PERIOD = /^(?:day|night|morning|afternoon|evening|week|weekend|fortnight|month|year|quarter|semester|decade)$/u;
const SPANS = /^(?:day|night|week|weekend|fortnight|month|year|hour|minute|decade)s?$/u;
const DECADE = /^(?:(?:19|20)\d0|\d0)$/u;
const BEFORE_YEAR =
  /^(?:in|since|until|till|by|from|during|after|before|of|to|early|late|mid|around|year|for|and|or|than|is|was)$/u;
const BEFORE_SEASON = /^(?:in|this|last|next|every|each|since|until|of|during|by|the|late|early|all)$/u;

/** The times that a text names, in order and without overlaps. Words alone are compared, so no day of reference is needed. */
export function listDates(tokens: readonly FactToken[]): NamedDate[] {
  const dates: NamedDate[] = [];
  for (let at = 0; at < tokens.length;) {
    const date = readDate(tokens, at);
    if (date) dates.push(date);
    at = date?.to ?? at + 1;
  }
  return dates;
}

const READERS = [readFigures, readWeekday, readCalendarDay, readWhich, readAgo, readSeason, readYear];

function readDate(tokens: readonly FactToken[], at: number): NamedDate | null {
  if (tokens[at]!.isMark) return null;
  for (const read of READERS) {
    const date = read(tokens, at);
    if (date) return date;
  }
  return null;
}

function readFigures(tokens: readonly FactToken[], at: number): NamedDate | null {
  const { lower } = tokens[at]!;
  const iso = ISO.exec(lower)?.groups;
  if (iso) return createDay(at, at + 1, { year: iso['year']!, month: Number(iso['month']), day: Number(iso['day']) });
  if (FIGURE_DATE.test(lower)) return createWords(at, at + 1, lower);
  const isDecade = DECADE.test(lower) && tokens[at + 1]?.lower === 's' && tokens[at + 1]!.isJoined;
  return isDecade ? createWords(at, at + 2, `${lower}s`) : null;
}

function readWeekday(tokens: readonly FactToken[], at: number): NamedDate | null {
  const { lower, text, opens } = tokens[at]!;
  if (!WEEKDAY_NAME.test(lower) && (opens || !SHORT_WEEKDAY.test(text))) return null;
  const weekday = WEEKDAYS[indexOfWeekday(lower)]!;
  const next = skip(tokens, at + 1, /^(?:,|the)$/u);
  const day = tokens[next] && !tokens[next].isMark ? readCalendarDay(tokens, next) : null;
  if (!day?.parts.some((part) => part.startsWith('d'))) {
    return { from: at, to: at + 1, value: weekday, parts: isRecurring(tokens, at) ? [weekday, 'every'] : [weekday] };
  }
  return { from: at, to: day.to, value: `${weekday} ${day.value}`, parts: [weekday, ...day.parts] };
}

/** "Every Friday", "on Fridays": no single Friday says so. */
function isRecurring(tokens: readonly FactToken[], at: number): boolean {
  return tokens[at]!.lower.endsWith('days') || /^(?:every|each)$/u.test(tokens[at - 1]?.lower ?? '');
}

function skip(tokens: readonly FactToken[], at: number, words: RegExp): number {
  let next = at;
  for (let count = 0; count < 2 && words.test(tokens[next]?.lower ?? ''); count += 1) next += 1;
  return next;
}

/** "8 May 2023", "the 8th of May", "May 8th, 2023", "May 2023", "May". */
function readCalendarDay(tokens: readonly FactToken[], at: number): NamedDate | null {
  const leading = readDayOfMonth(tokens, at);
  if (leading) {
    const month = readMonth(tokens, skip(tokens, leading.next, /^of$/u), true);
    if (month === null) return null;
    const year = readYearBehind(tokens, month.next);
    return createDay(at, year?.next ?? month.next, { day: leading.day, month: month.month, year: year?.value });
  }
  const month = readMonth(tokens, at, false);
  if (month === null) return null;
  const day = readDayOfMonth(tokens, skip(tokens, month.next, /^the$/u));
  const year = readYearBehind(tokens, day?.next ?? month.next);
  const isSure = day !== null || year !== null || isMonthAlone(tokens, at);
  return isSure
    ? createDay(at, year?.next ?? day?.next ?? month.next, { day: day?.day, month: month.month, year: year?.value })
    : null;
}

function readDayOfMonth(tokens: readonly FactToken[], at: number): { day: number; next: number } | null {
  const token = tokens[at];
  if (!token || token.isMark) return null;
  const ordinal = readOrdinal(tokens, at);
  const value = ordinal?.value ?? (/^\d{1,2}$/u.test(token.lower) ? token.lower : null);
  const day = Number(value);
  return value !== null && day >= 1 && day <= 31 ? { day, next: ordinal?.next ?? at + 1 } : null;
}

function readMonth(tokens: readonly FactToken[], at: number, isSure: boolean): { month: number; next: number } | null {
  const token = tokens[at];
  if (!token || !MONTH_NAME.test(token.lower)) return null;
  const isName = /^\p{Lu}/u.test(token.text) || BEFORE_MONTH.test(tokens[at - 1]?.lower ?? '');
  if (!isSure && !isName) return null;
  const next = token.lower.length <= 4 && tokens[at + 1]?.text === '.' && tokens[at + 2] ? at + 2 : at + 1;
  return { month: indexOfMonth(token.lower) + 1, next: /^(?:may|june|july)$/u.test(token.lower) ? at + 1 : next };
}

/** "May" and "March" may begin a sentence, short forms may be names. */
function isMonthAlone(tokens: readonly FactToken[], at: number): boolean {
  const { lower, opens } = tokens[at]!;
  return lower.length >= 3 && !/^(?:jan|mar)$/u.test(lower) && !(opens && /^(?:may|march)$/u.test(lower));
}

function readYearBehind(tokens: readonly FactToken[], at: number): { value: string; next: number } | null {
  const next = skip(tokens, at, /^(?:,|of|in)$/u);
  const token = tokens[next];
  return token && YEAR.test(token.lower) && !tokens[next + 1]?.isJoined ? { value: token.lower, next: next + 1 } : null;
}

/** "Last week", "next Friday", "yesterday". */
function readWhich(tokens: readonly FactToken[], at: number): NamedDate | null {
  const { lower } = tokens[at]!;
  if (NEAR_DAY.test(lower)) return createWords(at, at + 1, lower);
  const what = tokens[at + 1];
  if (!WHICH.test(lower) || !what || what.isMark) return null;
  const isNamed = PERIOD.test(what.lower) || SEASON.test(what.lower) || WEEKDAY_NAME.test(what.lower);
  return isNamed ? createWords(at, at + 2, `${lower} ${what.lower}`) : null;
}

/** "Three days ago". */
function readAgo(tokens: readonly FactToken[], at: number): NamedDate | null {
  const { lower } = tokens[at]!;
  const count = /^an?$/u.test(lower) ? { value: '1', next: at + 1 } : readCount(tokens, at);
  const span = count && tokens[count.next];
  if (!count || !span || !SPANS.test(span.lower) || tokens[count.next + 1]?.lower !== 'ago') return null;
  return createWords(at, count.next + 2, `${count.value} ${span.lower.replace(/s$/u, '')}s ago`);
}

function readSeason(tokens: readonly FactToken[], at: number): NamedDate | null {
  const season = tokens[at]!.lower.replace(/^fall$/u, 'autumn');
  if (!SEASON.test(season)) return null;
  const year = readYearBehind(tokens, at + 1);
  if (year) return { from: at, to: year.next, value: `${season} ${year.value}`, parts: [season, `y${year.value}`] };
  return BEFORE_SEASON.test(tokens[at - 1]?.lower ?? '') ? createWords(at, at + 1, season) : null;
}

/** A bare number of four figures is a year unless something is counted: "2000 steps". */
function readYear(tokens: readonly FactToken[], at: number): NamedDate | null {
  if (!YEAR.test(tokens[at]!.lower) || (tokens[at - 1]?.isMark === true && /^\p{Sc}$/u.test(tokens[at - 1]!.text)))
    return null;
  const next = tokens[at + 1];
  const counts = next !== undefined && (next.isJoined || /^[%\p{Sc}]|^\p{Ll}{4,}/u.test(next.text));
  const isYear = BEFORE_YEAR.test(tokens[at - 1]?.lower ?? '') ? !isUnitWord(next) : !counts;
  return isYear ? createDay(at, at + 1, { year: tokens[at]!.lower }) : null;
}

function isUnitWord(token: FactToken | undefined): boolean {
  return (
    token !== undefined &&
    (token.isJoined ||
      /^[%\p{Sc}]/u.test(token.text) ||
      /^(?:euros?|dollars?|pounds?|steps?|people|words?|calories|kilo\p{L}+|km|kg|miles?|pages?|metres?|meters?)$/u.test(
        token.lower,
      ))
  );
}

function createWords(from: number, to: number, value: string): NamedDate {
  return { from, to, value, parts: [value] };
}

function createDay(
  from: number,
  to: number,
  { year, month, day }: { year?: string | undefined; month?: number | undefined; day?: number | undefined },
): NamedDate {
  const two = (value: number) => String(value).padStart(2, '0');
  const value = [year ?? '-', ...(month === undefined ? [] : [two(month)]), ...(day === undefined ? [] : [two(day)])];
  const parts = [
    ...(year === undefined ? [] : [`y${year}`]),
    ...(month === undefined ? [] : [`m${month}`]),
    ...(day === undefined ? [] : [`d${day}`]),
  ];
  return { from, to, value: value.join('-'), parts };
}
