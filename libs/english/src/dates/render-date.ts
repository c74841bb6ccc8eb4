import { MONTHS } from '../words/word-lists.js';
import { type ResolvedDate, resolveDates } from './resolve-dates.js';

/** "8 May 2023", "weekend of 6 May 2023", "week of 1 May 2023", "April 2023", "summer 2022", "2022". */
export function renderDate({ text, from, to, granularity }: ResolvedDate): string {
  switch (granularity) {
    case 'day':
      return from === to ? renderDay(from) : `${renderDay(from)} to ${renderDay(to)}`;
    case 'week':
    case 'weekend':
      return `${granularity} of ${renderDay(from)}`;
    case 'month':
      return renderMonth(Date.parse(from));
    case 'season':
      return `${/spring|summer|autumn|fall|winter/i.exec(text)![0].toLowerCase()} ${from.slice(0, 4)}`;
    case 'year':
      return from.slice(0, 4);
  }
}

/**
 * The text with each date followed by what it means: "yesterday (7 May 2023)". Dates with a year need no annotation,
 * and dates that are already annotated are unchanged.
 */
export function annotateDates(text: string, saidAt: number): string {
  let annotated = '';
  let offset = 0;
  for (const date of resolveDates(text, saidAt)) {
    if (/\d{4}/.test(date.text) || text.startsWith(' (', date.end)) continue;
    annotated += `${text.slice(offset, date.end)} (${renderDate(date)})`;
    offset = date.end;
  }
  return annotated + text.slice(offset);
}

/** "8 May 2023" in UTC, the same under every locale; empty for a missing or invalid time. */
export function renderDay(time: number | string | Date | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : `${date.getUTCDate()} ${renderMonth(date.getTime())}`;
}

/** "2023-05-08" in UTC, of a time in epoch ms. */
export function renderIsoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function renderMonth(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
