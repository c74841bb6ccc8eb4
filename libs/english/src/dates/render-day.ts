import { MONTHS } from '../words/word-lists.js';

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

/** "May 2023". */
export function renderMonth(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
