import { MONTHS, renderDay } from '@annals/domain';
import { WEEKDAYS, addDays, startOfDay, startOfMonth, startOfWeek, startOfYear } from './calendar.js';
import {
  atDistance,
  inMonth,
  inSeason,
  inWeek,
  inYear,
  leadToDay,
  onDay,
  onWeekend,
  resolveMonthDay,
  resolveNamedMonth,
  weekdayAfter,
  weekdayBefore,
  weekdayNextWeek,
} from './date-phrases.js';
import type { ResolvedDate } from './date-phrases.js';

type Groups = Readonly<Record<string, string | undefined>>;

/** `past` is the tense of the sentence: "on Friday" looks back in "I met her on Friday". */
type Resolve = (groups: Groups, saidAt: number, past: boolean) => ResolvedDate | undefined;

export interface DateRule {
  pattern: RegExp;
  resolve: Resolve;
}

// "A few weeks ago" is placed here on the time line; its words stay as vague as they were said.
const FEW = 3;
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NUMBER = `(?<count>\\d{1,3}|an?|${WORDS.slice(1).join('|')}|(?:a )?couple(?: of)?)`;
const WEEKDAY = `(?<weekday>${WEEKDAYS.join('|')})`;
const SHORT_WEEKDAY = '(?<weekday>mon|tues?|wed|thur?s?|fri|sat|sun)';
const MONTH = `(?<month>${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|Sept)`;
const DAY = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const LEADS = 'on|by|until|since|of|from|to|before|after|around|for';
const SEASON = '(?<season>spring|summer|fall|autumn|winter)';
const PART = '(?<part>morning|afternoon|evening|night)';
const DURING = '(?:over |on |during |in )?(?:the )?';
const WHICH = '(?<which>last|this past|this|next|this coming|coming)';

/** Tried in this order; the first whose pattern stands in the sentence and that can resolve it decides. */
export const DATE_RULES: readonly DateRule[] = [
  rule('the day before yesterday', (_, saidAt) => onDay(addDays(startOfDay(saidAt), -2))),
  rule('the day after tomorrow', (_, saidAt) => onDay(addDays(startOfDay(saidAt), 2))),
  rule(`yesterday(?: ${PART})?`, ({ part }, saidAt) => onDay(addDays(startOfDay(saidAt), -1), part)),
  rule('last night', (_, saidAt) => onDay(addDays(startOfDay(saidAt), -1), 'night')),
  rule(`tomorrow(?: ${PART})?`, ({ part }, saidAt) => onDay(addDays(startOfDay(saidAt), 1), part)),
  rule('(?:earlier )?this (?<part>morning|afternoon|evening)', ({ part }, saidAt) => onDay(startOfDay(saidAt), part)),
  rule('tonight', (_, saidAt) => onDay(startOfDay(saidAt), 'night')),
  rule('(?:earlier )?today', (_, saidAt) => onDay(startOfDay(saidAt))),
  rule(`(?:(?<lead>on|by) )?${WHICH} ${WEEKDAY}`, ({ lead, which, weekday }, saidAt) =>
    leadToDay(lead ?? 'on', placeWeekday(which!, weekday!, saidAt)),
  ),
  rule(`(?<which>last|next) ${SHORT_WEEKDAY}`, ({ which, weekday }, saidAt) =>
    onDay(placeWeekday(which!, weekday!, saidAt)),
  ),
  rule(`(?<lead>on|by|until) ${WEEKDAY}`, ({ lead, weekday }, saidAt, past) =>
    leadToDay(lead!, past && lead === 'on' ? weekdayBefore(saidAt, weekday!) : weekdayAfter(saidAt, weekday!)),
  ),
  rule(`${WEEKDAY}(?: ${PART})?(?=$|,)`, ({ weekday, part }, saidAt, past) =>
    onDay(past ? weekdayBefore(saidAt, weekday!) : weekdayAfter(saidAt, weekday!), part),
  ),
  rule(`${DURING}${WHICH} weekend`, ({ which }, saidAt) =>
    onWeekend(addDays(startOfWeek(saidAt), 5 + 7 * stepOf(which!))),
  ),
  rule(`${DURING}${WHICH} week`, ({ which }, saidAt) => inWeek(addDays(startOfWeek(saidAt), 7 * stepOf(which!)))),
  rule(`${DURING}${WHICH} month`, ({ which }, saidAt) => inMonth(startOfMonth(saidAt, stepOf(which!)))),
  rule(`${DURING}${WHICH} year`, ({ which }, saidAt) => inYear(startOfYear(saidAt, stepOf(which!)))),
  rule(`${DURING}${WHICH} ${SEASON}`, ({ which, season }, saidAt, past) =>
    inSeason(season!, stepOf(which!) || (past ? -1 : 1), saidAt),
  ),
  rule(
    `(?:about |around |like )?${NUMBER} (?<unit>day|week|weekend|month|year)s? (?:ago|back)`,
    ({ count, unit }, saidAt) => atDistance(unit!, -readCount(count!), saidAt),
  ),
  rule('(?:a few|few|several|some) (?<unit>day|week|weekend|month|year)s (?:ago|back)', ({ unit }, saidAt) => ({
    text: `a few ${unit}s before ${renderDay(saidAt)}`,
    startsAt: atDistance(unit!, -FEW, saidAt).startsAt,
  })),
  rule(`in (?:about |around )?${NUMBER} (?<unit>day|week|month|year)s?(?! of)`, ({ count, unit }, saidAt, past) =>
    past ? undefined : atDistance(unit!, readCount(count!), saidAt),
  ),
  rule(`(?:(?<lead>${LEADS}) )?(?:the )?${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?`, resolveMonthDay),
  rule(`(?:(?<lead>${LEADS}) )?${MONTH} (?:the )?${DAY}(?!\\d)(?:,? ${YEAR})?`, resolveMonthDay),
  rule(`(?<lead>in|by|until|since) ${MONTH}(?: ${YEAR})?`, resolveNamedMonth),
  rule(`(?<lead>in|by|until|since) ${YEAR}`, ({ lead, year }) => ({
    text: `${lead} ${year}`,
    startsAt: Date.UTC(Number(year), 0, 1),
  })),
];

function rule(source: string, resolve: Resolve): DateRule {
  return { pattern: new RegExp(`(?<![\\w'-])${source}(?![\\w'-])`, 'i'), resolve };
}

function stepOf(which: string): number {
  if (/past|last/i.test(which)) return -1;
  return /next/i.test(which) ? 1 : 0;
}

function readCount(count: string): number {
  if (/^\d+$/.test(count)) return Number(count);
  if (/couple/i.test(count)) return 2;
  return Math.max(1, WORDS.indexOf(count.toLowerCase()));
}

function placeWeekday(which: string, weekday: string, saidAt: number): number {
  const step = stepOf(which);
  if (step < 0) return weekdayBefore(saidAt, weekday);
  return step > 0 ? weekdayNextWeek(saidAt, weekday) : weekdayAfter(saidAt, weekday);
}
