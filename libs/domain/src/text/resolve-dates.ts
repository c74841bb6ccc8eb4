import { renderDay, renderMonth } from './months.js';

/** A relative date in a text, with what it means. */
export interface ResolvedDate {
  /** End of the expression in the text. */
  readonly end: number;
  /** "7 May 2023", "the week before 8 May 2023", "April 2023", "2022". */
  readonly label: string;
  /** The day, in epoch ms at 00:00 UTC; null for a longer period. */
  readonly day: number | null;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const SEASON_STARTS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NEAR_DAYS: Readonly<Record<string, number>> = {
  'the day before yesterday': -2,
  'the day after tomorrow': 2,
  yesterday: -1,
  'last night': -1,
  tomorrow: 1,
};

const WEEKDAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?';
const UNIT = `week|weekend|month|year|${Object.keys(SEASON_STARTS).join('|')}|${WEEKDAY}`;
const COUNT = `\\d{1,3}|an?|a couple(?: of)?|${NUMBERS.join('|')}`;
const RELATIVE = new RegExp(
  `\\b(?:(${Object.keys(NEAR_DAYS).join('|')})|(last|this past|past|next) (${UNIT})|(${COUNT}) (day|week|month|year)s? ago)\\b`,
  'gi',
);

/**
 * Resolves "yesterday", "last Friday", "next month" and "two weeks ago" in a text of the time `saidAt` (epoch ms), in
 * order (docs/reference/truth-and-time.md#relative-dates-are-resolved). Only unambiguous expressions are resolved: "on
 * Friday" may be past or future.
 */
export function resolveDates(text: string, saidAt: number): ResolvedDate[] {
  if (!Number.isFinite(saidAt)) return [];
  const today = Math.floor(saidAt / DAY_MS) * DAY_MS;
  return Array.from(text.matchAll(RELATIVE), ({ 0: words, 1: near, 2: side, 3: unit, 4: count, 5: span, index }) => {
    const end = index + words.length;
    if (near !== undefined) return toResolvedDay(end, today + NEAR_DAYS[near.toLowerCase()]! * DAY_MS);
    if (side !== undefined) return resolveSide(end, today, side.toLowerCase() !== 'next', unit!.toLowerCase());
    return resolveAgo(end, today, parseCount(count!.toLowerCase()), span!.toLowerCase());
  });
}

/**
 * The text with each relative date followed by what it means: "yesterday (7 May 2023)"; dates that are already
 * annotated are unchanged.
 */
export function annotateDates(text: string, saidAt: number): string {
  let annotated = '';
  let offset = 0;
  for (const { end, label } of resolveDates(text, saidAt)) {
    if (text.startsWith(' (', end)) continue;
    annotated += `${text.slice(offset, end)} (${label})`;
    offset = end;
  }
  return annotated + text.slice(offset);
}

function toResolvedDay(end: number, day: number): ResolvedDate {
  return { end, day, label: renderDay(day) };
}

function resolveSide(end: number, today: number, isPast: boolean, unit: string): ResolvedDate {
  const date = new Date(today);
  const step = isPast ? -1 : 1;
  if (unit === 'week') return { end, day: null, label: `the week ${isPast ? 'before' : 'after'} ${renderDay(today)}` };
  if (unit === 'weekend') {
    return { end, day: null, label: `weekend of ${renderDay(findWeekday(today, 6, isPast))}` };
  }
  if (unit === 'month') return { end, day: null, label: renderMonthOf(date, step) };
  if (unit === 'year') return { end, day: null, label: `${date.getUTCFullYear() + step}` };
  const start = SEASON_STARTS[unit];
  if (start === undefined) return toResolvedDay(end, findWeekday(today, WEEKDAYS.indexOf(unit.slice(0, 3)), isPast));
  return { end, day: null, label: `${unit} ${findSeasonYear(date, start, isPast)}` };
}

function resolveAgo(end: number, today: number, count: number, span: string): ResolvedDate {
  const date = new Date(today);
  if (span === 'day') return toResolvedDay(end, today - count * DAY_MS);
  if (span === 'week') return { end, day: null, label: `week of ${renderDay(today - 7 * count * DAY_MS)}` };
  if (span === 'month') return { end, day: null, label: renderMonthOf(date, -count) };
  return { end, day: null, label: `${date.getUTCFullYear() - count}` };
}

/** The nearest such weekday before or after today, excluding today. */
function findWeekday(today: number, weekday: number, isPast: boolean): number {
  const current = new Date(today).getUTCDay();
  const distance = isPast ? (current - weekday + 7) % 7 : (weekday - current + 7) % 7;
  return today + (isPast ? -1 : 1) * (distance === 0 ? 7 : distance) * DAY_MS;
}

/**
 * A season is named after the year it begins in; "last" is the one that has ended, "next" the one that has not begun.
 */
function findSeasonYear(date: Date, start: number, isPast: boolean): number {
  const month = date.getUTCMonth();
  const year = date.getUTCFullYear();
  if (isPast) return month > start + 2 ? year : year - 1;
  return month < start ? year : year + 1;
}

function renderMonthOf(date: Date, offset: number): string {
  return renderMonth(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1));
}

function parseCount(words: string): number {
  if (words.startsWith('a couple')) return 2;
  return words === 'a' || words === 'an' ? 1 : NUMBERS.indexOf(words) + 1 || Number(words);
}
