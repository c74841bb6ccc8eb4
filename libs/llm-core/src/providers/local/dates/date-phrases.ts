import { MONTHS, renderDay, renderMonth } from '@annals/domain';
import { addDays, dayOf, startOfDay, startOfMonth, startOfWeek, startOfYear, WEEKDAYS } from './calendar.js';

/** What a date phrase says: the words that replace it, and the first instant of the span it names (epoch ms). */
export interface ResolvedDate {
  text: string;
  startsAt: number;
}

const SEASON_MONTHS: Readonly<Record<string, number>> = { spring: 2, summer: 5, fall: 8, autumn: 8, winter: 11 };

export function onDay(time: number, partOfDay?: string): ResolvedDate {
  const part = partOfDay ? ` (${partOfDay})` : '';
  return { text: `on ${renderDay(time)}${part}`, startsAt: time };
}

export function leadToDay(lead: string, time: number): ResolvedDate {
  return { text: `${lead} ${renderDay(time)}`, startsAt: time };
}

export function onWeekend(saturday: number): ResolvedDate {
  return { text: `on the weekend of ${renderDay(saturday)}`, startsAt: saturday };
}

export function inWeek(monday: number): ResolvedDate {
  return { text: `in the week of ${renderDay(monday)}`, startsAt: monday };
}

export function inMonth(first: number): ResolvedDate {
  return { text: `in ${renderMonth(first)}`, startsAt: first };
}

export function inYear(first: number): ResolvedDate {
  return { text: `in ${new Date(first).getUTCFullYear()}`, startsAt: first };
}

/** The season that lies `step` away from now: -1 the latest that has begun, 1 the next to begin. */
export function inSeason(season: string, step: number, saidAt: number): ResolvedDate {
  const month = SEASON_MONTHS[season]!;
  const thisYears = startOfMonth(startOfYear(saidAt), month);
  const begun = thisYears <= saidAt;
  const years = step < 0 ? (begun ? 0 : -1) : begun ? 1 : 0;
  const startsAt = startOfMonth(startOfYear(saidAt, years), month);
  return { text: `in ${season} ${new Date(startsAt).getUTCFullYear()}`, startsAt };
}

/** "3 weeks ago", "in two months": as exact as the unit allows. */
export function atDistance(unit: string, count: number, saidAt: number): ResolvedDate {
  switch (unit) {
    case 'day':
      return onDay(addDays(startOfDay(saidAt), count));
    case 'week':
      return inWeek(startOfWeek(addDays(saidAt, 7 * count)));
    case 'weekend':
      return onWeekend(addDays(startOfWeek(saidAt), 5 + 7 * count));
    case 'month':
      return inMonth(startOfMonth(saidAt, count));
    default:
      return inYear(startOfYear(saidAt, count));
  }
}

export function weekdayBefore(saidAt: number, weekday: string): number {
  const today = startOfDay(saidAt);
  const back = (new Date(today).getUTCDay() - indexOfWeekday(weekday) + 7) % 7 || 7;
  return addDays(today, -back);
}

export function weekdayAfter(saidAt: number, weekday: string): number {
  const today = startOfDay(saidAt);
  const ahead = (indexOfWeekday(weekday) - new Date(today).getUTCDay() + 7) % 7 || 7;
  return addDays(today, ahead);
}

/** "Next Friday" is the one of next week, while "this Friday" and "on Friday" are the coming one. */
export function weekdayNextWeek(saidAt: number, weekday: string): number {
  return addDays(startOfWeek(saidAt), 7 + ((indexOfWeekday(weekday) + 6) % 7));
}

/** A day and month; without a year the nearest such day on the side of now that the sentence's tense points to. */
export function resolveMonthDay(
  { lead, day, month, year }: Readonly<Record<string, string | undefined>>,
  saidAt: number,
  past: boolean,
): ResolvedDate | undefined {
  const index = indexOfMonth(month!);
  const time = year
    ? dayOf(Number(year), index, Number(day))
    : nearest((at) => dayOf(at, index, Number(day)), saidAt, past || lead === 'since');
  return time === undefined ? undefined : leadToDay(lead ?? 'on', time);
}

/** "in May", "since March 2020". */
export function resolveNamedMonth(
  { lead, month, year }: Readonly<Record<string, string | undefined>>,
  saidAt: number,
  past: boolean,
): ResolvedDate {
  const index = indexOfMonth(month!);
  const startsAt = year
    ? Date.UTC(Number(year), index, 1)
    : nearest((at) => Date.UTC(at, index, 1), saidAt, past || lead === 'since')!;
  return { text: `${lead} ${renderMonth(startsAt)}`, startsAt };
}

function nearest(dateIn: (year: number) => number | undefined, saidAt: number, past: boolean): number | undefined {
  const thisYear = new Date(saidAt).getUTCFullYear();
  const candidate = dateIn(thisYear);
  if (past) return candidate !== undefined && candidate <= saidAt ? candidate : dateIn(thisYear - 1);
  return candidate !== undefined && candidate >= startOfMonth(saidAt) ? candidate : dateIn(thisYear + 1);
}

function indexOfWeekday(weekday: string): number {
  return WEEKDAYS.findIndex((name) => name.startsWith(weekday.slice(0, 3)));
}

function indexOfMonth(month: string): number {
  return MONTHS.findIndex((name) => name.toLowerCase().startsWith(month.slice(0, 3)));
}
