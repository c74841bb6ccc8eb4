import { renderDay, renderMonth } from './render-day.js';
import type { ResolvedTime } from './resolve-dates.js';

/** "8 May 2023", "weekend of 6 May 2023", "week of 1 May 2023", "April 2023", "summer 2022", "2022". */
export function renderDate({ text, from, to, granularity }: ResolvedTime): string {
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
