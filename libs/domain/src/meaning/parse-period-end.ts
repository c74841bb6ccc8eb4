import { MONTHS } from '../text/months.js';

const PERIOD = new RegExp(`\\bin (?:(?<month>${MONTHS.join('|')}) )?(?<year>\\d{4})\\b`, 'u');

/**
 * The end (epoch ms) of the period in which a statement's event may have happened: "in April 2026" ends a month after
 * it begins. `begins` is the start of the period, and the result when the statement names none.
 */
export function parsePeriodEnd(content: string, begins: number): number {
  const groups = PERIOD.exec(content)?.groups;
  if (!groups) return begins;
  const year = Number(groups['year']);
  const month = groups['month'] === undefined ? 11 : MONTHS.findIndex((name) => name === groups['month']);
  return Math.max(begins, Date.UTC(year, month + 1, 1) - 1);
}
