import { resolveDates } from '@annals/english';

const DAY_MS = 86_400_000;
const LEAD = /\b(?:in|on)\s$/;

/**
 * The end (epoch ms) of the period in which a statement's event may have happened: "in April 2026" ends a month after
 * it begins. `begins` is the start of the period, and the result when the statement names none with its year.
 */
export function parsePeriodEnd(content: string, begins: number): number {
  const period = resolveDates(content, begins).find(
    ({ granularity, text, start }) =>
      granularity !== 'day' && /\d{4}/.test(text) && LEAD.test(content.slice(Math.max(0, start - 4), start)),
  );
  return period === undefined ? begins : Math.max(begins, Date.parse(period.to) + DAY_MS - 1);
}
