import { MONTHS } from '../text/months.js';

const PERIOD = new RegExp(`\\bin (?:(?<month>${MONTHS.join('|')}) )?(?<year>\\d{4})\\b`, 'u');

/**
 * The last moment (epoch ms) at which what a statement tells of may have happened: "in April 2026" begins a month before
 * it ends. `begins` is where the period begins, and the answer when the words name none.
 */
export function parsePeriodEnd(content: string, begins: number): number {
  const groups = PERIOD.exec(content)?.groups;
  if (!groups) return begins;
  const year = Number(groups['year']);
  const month = groups['month'] === undefined ? 11 : MONTHS.findIndex((name) => name === groups['month']);
  return Math.max(begins, Date.UTC(year, month + 1, 1) - 1);
}
