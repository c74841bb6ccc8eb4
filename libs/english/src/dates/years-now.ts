import { COUNT } from './date-words.js';
import { renderDate } from './render-date.js';
import { resolveDates } from './resolve-dates.js';

/** "Seven years now", "for two months now"; but "in two weeks now". */
const YEARS_NOW = new RegExp(
  `(?<!\\bin\\s(?:about\\s|around\\s)?)(?<![\\p{L}\\p{N}_'’-])${COUNT}\\s(?<unit>day|week|month|year)s?\\snow(?![\\p{L}\\p{N}_-])`,
  'giu',
);

/** Durations that last until `saidAt` (epoch ms), each with when it began: "since 2016". */
export function listYearsNow(text: string, saidAt: number): { start: number; end: number; rendered: string }[] {
  return Array.from(text.matchAll(YEARS_NOW), ({ 0: words, index, groups }) => {
    const [began] = resolveDates(`${groups!['count']} ${groups!['unit']}s ago`, saidAt);
    if (began === undefined) return [];
    const rendered = `since ${began.granularity === 'week' ? 'the ' : ''}${renderDate(began)}`;
    return [{ start: index, end: index + words.length, rendered }];
  }).flat();
}
