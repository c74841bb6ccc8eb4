import type { Tense } from '../tense/detect-tense.js';
import {
  DAY_MS,
  type Period,
  dayPeriod,
  findDates,
  findNearestWeekday,
  findWeekdayOfWeek,
  getMonth,
  getYear,
  monthPeriod,
  seasonPeriod,
  weekPeriod,
  weekendPeriod,
  yearPeriod,
} from './calendar.js';
import { type DateContext, type DatedSpan, createDateContext } from './date-context.js';
import { COUNT, MONTH, SEASON, UNIT, WEEKDAY, YEAR, indexOfMonth, indexOfWeekday, parseCount } from './date-words.js';

type Groups = Readonly<Record<string, string>>;
/** Null where the words name no single time. */
type Resolve = (groups: Groups, context: DateContext) => Period | null;

const NEAR_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^the day before|^the night/i, -2],
  [/^yesterday|^last/i, -1],
  [/^to(?:day|night)|^this/i, 0],
  [/^tomorrow|^tmrw/i, 1],
  [/^the day after/i, 2],
];
const NEAR =
  'the day before yesterday|the day after tomorrow|the night before last|last night|last evening|yesterday|tomorrow|tmrw|' +
  'today|tonight|this morning|this afternoon|this evening';
const PART = '(?<part>\\s(?:morning|afternoon|evening|night)(?![\\w-]))?';
const WHICH = '(?<which>last|this\\spast|past|this\\scoming|this|coming|next)\\s';
const NAMED = `(?:${UNIT}|${WEEKDAY}|${SEASON}|${MONTH})`;
/** "The next week" is counted from another time, and "my last fall" is no season. */
const OWNER = /^(?:the|an?|my|your|his|her|its|our|their|at|very|one|half|quarter|.*['’]s)$/;
/** Words before a day that is named by its weekday alone. */
const LEAD = /^(?:on|by|until|till|since|before|after|for|from)$/;
const LEAD_OF_SHORT = /^(?:on|by|until|till|since)$/;
const LEAD_OF_PERIOD = /^(?:in|at|by|until|till|since|before|after|during)$/;
const NO_SINGLE_DAY =
  /^(?:every|each|other|any|an?|the|one|some|my|your|his|her|its|our|their|of|is|was|are|were|it['’]s|called|like|than|or|to|through|last|next|this|past|coming|black|good|ash|easter|palm|fat|holy|super)$/;
const SUBJECT = /^(?:\W{0,2}$|[,.!?;)]|\s(?:i|we|he|she|it|they|my|our|the|was|is)[\s'’])/i;
const NO_DAY = /^(?:\s(?:the\s13th|to|through|best|roast|school|mornings|afternoons|evenings|nights)\b|['’]s?\s*$)/i;
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7, weekend: 7, fortnight: 14 };

const stepOf = (which: string) => (/last|past/i.test(which) ? -1 : /next/i.test(which) ? 1 : 0);

/** The day, week, month or year that is `count` units after (or, below 0, before) the day `today`. */
export function periodAtDistance(name: string, count: number, today: number, isExact = false): Period {
  const unit = name.toLowerCase();
  const days = DAYS_OF[unit];
  if (days === undefined) {
    if (unit === 'year' && count % 1 === 0) return yearPeriod(getYear(today) + count);
    return monthPeriod(getYear(today), getMonth(today) + count * (unit === 'year' ? 12 : 1));
  }
  const day = today + Math.round(count * days) * DAY_MS;
  if (unit === 'day' || isExact) return dayPeriod(day);
  return unit === 'weekend' ? weekendPeriod(day) : weekPeriod(day);
}

/** "Next" Friday or weekend is the one of next week, since the coming one is "this Friday". */
function resolveNamed({ unit, weekday, season, month }: Groups, which: string, context: DateContext): Period | null {
  const { today } = context;
  const step = stepOf(which);
  if (season || month) {
    const at = (year: number) => (season ? seasonPeriod(year, season) : monthPeriod(year, indexOfMonth(month!)));
    const current = at(getYear(today) - (/winter/i.test(season ?? '') && getMonth(today) < 2 ? 1 : 0));
    if (step === 0 && current.from <= today && today <= current.to) return current;
    return context.pickYear((step || context.side()) < 0 ? 'last' : 'next', at);
  }
  if (unit) {
    const isOver = step === 0 && unit === 'weekend' && today < weekendPeriod(today).from && context.tense() === 'past';
    return periodAtDistance(unit, isOver ? -1 : step, today);
  }
  const index = indexOfWeekday(weekday!);
  if (step > 0) return dayPeriod(findWeekdayOfWeek(today, index, 1));
  const isToday = step === 0 && findWeekdayOfWeek(today, index, 0) === today;
  return dayPeriod(isToday ? today : findNearestWeekday(today, index, step || context.side()));
}

/**
 * A pattern's source for each kind of expression, with what it means. `needs` is a part of every match that a text rarely
 * has: it is looked for first, since a pattern takes many times as long.
 */
const RULES: Readonly<Record<string, { readonly needs: RegExp; readonly resolve: Resolve }>> = {
  [`(?<near>${NEAR.replaceAll(' ', '\\s')})${PART}`]: {
    needs: /yesterday|tomorrow|tmrw|today|tonight|morning|afternoon|evening|night/i,
    resolve: ({ near }, { today }) =>
      dayPeriod(today + DAY_MS * NEAR_DAYS.find(([words]) => words.test(near!.replace(/\s/g, ' ')))![1]),
  },

  [`the\\s(?:${UNIT}|${WEEKDAY})\\s(?:before\\s(?<last>last)|after\\snext)`]: {
    needs: /before\slast|after\snext/i,
    resolve: (groups, context) => {
      const which = groups['last'] ? 'last' : 'next';
      const nearer = resolveNamed(groups, which, context);
      return nearer && resolveNamed(groups, which, { ...context, today: nearer.from });
    },
  },

  [`${WHICH}${NAMED}${PART}(?!\\sof\\b)`]: {
    needs: /(?:last|past|coming|this|next)\s[adfjmnostwy]/i,
    resolve: (groups, context) => {
      const { which, unit, weekday, month } = groups;
      const isThis = /^this/i.test(which!);
      // "This may be true", "this sun", "the last day"; but "over the last weekend".
      if (unit === 'day' || (isThis && /^(?:may|march|sat|sun|wed)$/.test(weekday ?? month ?? ''))) return null;
      return isThis || unit === 'weekend' || !OWNER.test(context.before) ? resolveNamed(groups, which!, context) : null;
    },
  },

  [`${WEEKDAY}(?:,?\\sof)?\\s(?<which>last|next|this)\\sweek`]: {
    needs: /week/i,
    resolve: ({ weekday, which }, { today }) =>
      dayPeriod(findWeekdayOfWeek(today, indexOfWeekday(weekday!), stepOf(which!))),
  },

  [`(?<which>last|next|this)\\sweek,?\\s(?:on\\s)?${WEEKDAY}`]: {
    needs: /week/i,
    resolve: ({ weekday, which }, { today }) =>
      dayPeriod(findWeekdayOfWeek(today, indexOfWeekday(weekday!), stepOf(which!))),
  },

  [`${COUNT}\\s(?:${UNIT}|${WEEKDAY})s?(?<half>\\sand\\sa\\shalf)?\\s(?:ago|back)(?<exact>\\stoday)?`]: {
    needs: /ago|back/i,
    resolve: ({ count, unit, weekday, half, exact }, { before, today }) => {
      if (/^(?:or|to|and|\d+)$/.test(before)) return null;
      const number = -parseCount(count!) - (half ? 0.5 : 0);
      if (unit) return periodAtDistance(unit, number, today, exact !== undefined);
      return dayPeriod(findNearestWeekday(today, indexOfWeekday(weekday!), -1) + 7 * DAY_MS * (number + 1));
    },
  },

  [`${COUNT}\\s${UNIT}s?\\sfrom\\s(?:now|(?<exact>today)|${WEEKDAY})`]: {
    needs: /from/i,
    resolve: ({ count, unit, exact, weekday }, { today }) => {
      const from = weekday ? findNearestWeekday(today, indexOfWeekday(weekday), 1) : today;
      return periodAtDistance(unit!, parseCount(count!), from, (exact ?? weekday) !== undefined);
    },
  },

  [`in\\s(?:about\\s|around\\s)?${COUNT}\\s${UNIT}(?:s?['’]s?\\stime|s)?(?!\\s(?:of|or|before)\\b)`]: {
    needs: /day|week|fortnight|month|year/i,
    resolve: ({ count, unit }, context) =>
      context.tense() === 'past' || context.isHabit()
        ? null
        : periodAtDistance(unit!, parseCount(count!), context.today),
  },

  [`${WEEKDAY}${PART}`]: {
    needs: /mon|tue|wed|thu|fri|sat|sun/i,
    resolve: ({ weekday, part }, context) => {
      const { before, rest } = context;
      // Short forms are words as well: "for sun", "we sat".
      const isShort = weekday!.length < 6;
      const isNamed = !isShort && (part !== undefined || SUBJECT.test(rest)) && !NO_SINGLE_DAY.test(before);
      if (!(isShort ? LEAD_OF_SHORT : LEAD).test(before) && !isNamed) return null;
      if (context.isHabit() || NO_DAY.test(rest)) return null;
      return dayPeriod(findNearestWeekday(context.today, indexOfWeekday(weekday!), context.side()));
    },
  },

  '(?:over|at|on|during)\\sthe\\sweekend': {
    needs: /weekend/i,
    resolve: (_, context) =>
      context.isOnce() && context.isComplete() ? resolveNamed({ unit: 'weekend' }, 'this', context) : null,
  },

  [MONTH]: {
    needs: /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i,
    resolve: ({ month }, context) => {
      if (!LEAD_OF_PERIOD.test(context.before) || !context.isComplete() || context.isYearly()) return null;
      return context.pickYear('on', (year) => monthPeriod(year, indexOfMonth(month!)));
    },
  },

  [`(?:the\\s)?(?:${MONTH}|${SEASON}),?(?:\\sof)?\\s${YEAR}`]: {
    needs: /\s(?:19|20)\d\d/,
    resolve: ({ month, season, year }) =>
      month ? monthPeriod(Number(year), indexOfMonth(month)) : seasonPeriod(Number(year), season!),
  },

  [`the\\s${SEASON}`]: {
    needs: /the\s(?:spring|summer|fall|autumn|winter)/i,
    resolve: ({ season }, context) => {
      if (context.before !== 'in' || !context.isOnce() || !context.isComplete()) return null;
      return context.pickYear(context.side() < 0 ? 'last' : 'next', (year) => seasonPeriod(year, season!));
    },
  },

  [YEAR]: {
    needs: /(?:19|20)\d\d/,
    resolve: ({ year }, { before, isComplete }) =>
      LEAD_OF_PERIOD.test(before) && before !== 'at' && isComplete() ? yearPeriod(Number(year)) : null,
  },

  'the\\s(?<date>[0-3]?\\d)(?:st|nd|rd|th)(?!\\sof\\b)': {
    needs: /\d(?:st|nd|rd|th)/i,
    resolve: ({ date }, context) => {
      if (!LEAD_OF_SHORT.test(context.before) || !context.isComplete() || context.isHabit()) return null;
      const at = (month: number) => findDates(getYear(context.today), month, Number(date));
      return context.pickFrom(getMonth(context.today), 'on', at);
    },
  },
};
/** The rules, in their order, with patterns that match whole words. */
export const RELATIVE_PATTERNS = Object.entries(RULES).map(([source, { needs, resolve }]) => ({
  needs,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_'’]|(?<!\\b(?:early|mid|late))-)${source}(?![\\p{L}\\p{N}_-])`, 'giu'),
  resolve,
}));

/** Times that are counted from the day on which they are said, and those that are named without a day. */
export function resolveRelativeDates(text: string, today: number, tense?: Tense): DatedSpan[] {
  return RELATIVE_PATTERNS.filter(({ needs }) => needs.test(text)).flatMap(({ pattern, resolve }) =>
    Array.from(text.matchAll(pattern), ({ 0: words, index, groups }): DatedSpan[] => {
      const end = index + words.length;
      const period = resolve(groups ?? {}, createDateContext(text, index, end, today, tense));
      return period === null ? [] : [{ start: index, end, period }];
    }).flat(),
  );
}
