import { Chrono, type ParsedResult, type Parser, configuration } from 'chrono-node/en';
import type { Tense } from '../tense/detect-tense.js';
import { DAY_MS, findDates, weekPeriod, weekendPeriod } from './calendar.js';
import { type DatedSpan, createDateContext } from './date-context.js';

/**
 * Chrono's parsers of calendar dates. Its other parsers are not used: they read "may", "sat" and "several weeks"
 * differently (docs/decisions/0037-one-english-layer-chrono-for-calendar-dates.md).
 */
const PARSERS = [
  'ISOFormatParser',
  'ENYearMonthDayParser',
  'SlashDateFormatParser',
  'ENMonthNameLittleEndianParser',
  'ENMonthNameMiddleEndianParser',
];
const CHRONO = new Chrono({ parsers: selectParsers(), refiners: [] });

/** Chrono exports no parser by name, so they are identified by class; a renamed one must not be lost silently. */
function selectParsers(): Parser[] {
  const available = configuration.createConfiguration(true).parsers;
  return PARSERS.map((name) => {
    const parser = available.find((candidate) => candidate.constructor.name === name);
    if (!parser) throw new Error(`chrono-node has no ${name}: compare its parsers with explicit-dates.ts.`);
    return parser;
  });
}

const MAY_CONTAIN_DATE = /\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;
/** Chrono's patterns take quadratic time on runs of spaces. */
const LONG_GAP = /\s{3,}/g;
const LEAD = /^(?:on|by|until|till|since|before|after|from|to|due|dated)$/;
const HEAD =
  /(?:(?<unit>\bthe\s(?:week|weekend)\s(?:of|beginning)\s)?(?:\bthe\s)?|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun),?\s(?:the\s)?)$/i;
/** "Second may", "mar5". */
const NO_DATE = /^(?:[a-z]+\s*-?(?:may|mar)|[A-Za-z]+\d|\d+(?!st|nd|rd|th)[A-Za-z])/;

/** "We may 3 times", "march 20 miles"; but "what happened may 7". */
const COUNTED = /^(?:may|march|mar)\s*\d+$/;
const WORD_FOLLOWS = /^\s+\p{L}/u;

function toDatedSpan(
  { index, text: matched, start, end }: ParsedResult,
  text: string,
  today: number,
  tense?: Tense,
): DatedSpan[] {
  const words = matched.replace(/^on\s+/i, '');
  const spanEnd = index + matched.length;
  const wordsStart = spanEnd - words.length;
  const head = HEAD.exec(text.slice(Math.max(0, wordsStart - 28), wordsStart));
  const spanStart = wordsStart - (head?.[0].length ?? 0);
  const context = createDateContext(text, spanStart, spanEnd, today, tense);
  const hasLead = LEAD.test(context.before);
  const hasYear = start.isCertain('year');
  if (/[\p{L}\p{N}.]$/u.test(text.charAt(wordsStart - 1))) return [];
  if (/^(?:[\p{L}\p{N}]|[./-]\d)/u.test(context.rest)) return [];
  if (words === '9/11' || (!hasLead && (isNoDate(words, context.rest) || (!hasYear && words.includes('/'))))) return [];
  // The year of a timestamp follows its time; a habit has none.
  if (!hasYear && (/^\s\d/.test(context.rest) || context.isYearly())) return [];
  let [month, date] = [start.get('month')! - 1, start.get('day')!];
  // With dots the day comes first.
  if (/^\d+\.\d+\.\d{4}$/.test(words) && date <= 12) [month, date] = [date - 1, month + 1];
  const at = (year: number) => findDates(year, month, date, end?.get('day') ?? date);
  const period = hasYear ? at(start.get('year')!) : context.pickYear('on', at);
  if (period === null) return [];
  const unit = head?.groups!['unit'];
  if (unit === undefined) return [{ start: spanStart, end: spanEnd, period }];
  const whole = /weekend/i.test(unit) ? weekendPeriod(period.from) : weekPeriod(period.from);
  return [{ start: spanStart, end: spanEnd, period: whole }];
}

function isNoDate(words: string, rest: string): boolean {
  return NO_DATE.test(words) || (COUNTED.test(words) && WORD_FOLLOWS.test(rest));
}

/** Calendar dates: "9 May 1991", "3/4/2024", "June 3-5", and "the week of June 12". */
export function resolveExplicitDates(text: string, today: number, tense?: Tense): DatedSpan[] {
  if (!MAY_CONTAIN_DATE.test(text)) return [];
  const withoutGaps = text.replace(LONG_GAP, (gap) => '  '.padEnd(gap.length, '\u0001'));
  const reference = { instant: new Date(today + DAY_MS / 2), timezone: 0 };
  return CHRONO.parse(withoutGaps, reference).flatMap((result) => toDatedSpan(result, text, today, tense));
}
