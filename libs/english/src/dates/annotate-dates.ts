import { listFewAgo } from './few-ago.js';
import { listDurations } from './list-durations.js';
import { renderDate } from './render-date.js';
import { type ResolvedDate, resolveDates } from './resolve-dates.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * The text with each date followed by what it means: "yesterday (Sunday 7 May 2023)", "a few weeks ago (a few weeks before
 * 8 May 2023)", "seven years now (since 2016)". Dates with a year need no annotation, and dates that are already annotated
 * are unchanged.
 */
export function annotateDates(text: string, saidAt: number): string {
  const exact = resolveDates(text, saidAt)
    .filter((date) => !/\d{4}/.test(date.text))
    .map((date) => ({ ...date, rendered: renderWithWeekday(date) }));
  const dates = [...exact, ...listFewAgo(text, saidAt), ...listDurations(text, saidAt)];
  let annotated = '';
  let offset = 0;
  for (const { end, rendered } of dates.toSorted((a, b) => a.start - b.start)) {
    if (text.startsWith(' (', end)) continue;
    annotated += `${text.slice(offset, end)} (${rendered})`;
    offset = end;
  }
  return annotated + text.slice(offset);
}

/** The weekday of a day, unless its own words are that: "last Friday (12 May 2023)". */
function renderWithWeekday(date: ResolvedDate): string {
  const rendered = renderDate(date);
  const weekday = WEEKDAYS[new Date(date.from).getUTCDay()]!;
  const isNew =
    date.granularity === 'day' && date.from === date.to && !date.text.toLowerCase().includes(weekday.toLowerCase());
  return isNew ? `${weekday} ${rendered}` : rendered;
}
