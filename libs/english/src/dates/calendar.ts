export type Granularity = 'day' | 'week' | 'weekend' | 'month' | 'season' | 'year';

/** Whole days, both ends included. A day is epoch ms at 00:00 UTC: messages have no time zone. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly granularity: Granularity;
}

export const DAY_MS = 86_400_000;
/** The first month of each season, in the northern hemisphere; a winter is named after the year it begins in. */
const SEASON_STARTS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

export const getYear = (day: number) => new Date(day).getUTCFullYear();
export const getMonth = (day: number) => new Date(day).getUTCMonth();
const getWeekday = (day: number) => new Date(day).getUTCDay();
const getMonday = (day: number) => day - ((getWeekday(day) + 6) % 7) * DAY_MS;

function months(year: number, month: number, count: number, granularity: Granularity): Period {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 0), granularity };
}

export const dayPeriod = (from: number, to = from): Period => ({ from, to, granularity: 'day' });
export const monthPeriod = (year: number, month: number) => months(year, month, 1, 'month');
export const seasonPeriod = (year: number, season: string) =>
  months(year, SEASON_STARTS[season.toLowerCase()]!, 3, 'season');
export const yearPeriod = (year: number) => months(year, 0, 12, 'year');

/** The week, Monday to Sunday, that contains a day. */
export function weekPeriod(day: number): Period {
  return { from: getMonday(day), to: getMonday(day) + 6 * DAY_MS, granularity: 'week' };
}

/** Saturday and Sunday of the week that contains a day. */
export function weekendPeriod(day: number): Period {
  return { ...weekPeriod(day), from: getMonday(day) + 5 * DAY_MS, granularity: 'weekend' };
}

/** That weekday (0 is Sunday) of the week that is `weeks` away. */
export function findWeekdayOfWeek(day: number, weekday: number, weeks: number): number {
  return getMonday(day) + (7 * weeks + ((weekday + 6) % 7)) * DAY_MS;
}

/** The nearest such weekday before (-1) or after (1) a day, excluding the day itself. */
export function findNearestWeekday(day: number, weekday: number, side: -1 | 1): number {
  return day + side * (((weekday - getWeekday(day)) * side + 7) % 7 || 7) * DAY_MS;
}

/** The days `date` to `lastDate` of a month; null when the calendar has no such day. `month` may lie outside the year. */
export function findDates(year: number, month: number, date: number, lastDate = date): Period | null {
  const { from, to } = monthPeriod(year, month);
  const last = from + (lastDate - 1) * DAY_MS;
  return date > 0 && date <= lastDate && last <= to ? dayPeriod(from + (date - 1) * DAY_MS, last) : null;
}
