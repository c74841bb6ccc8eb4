import type { Tense } from '../tense/detect-tense.js';
import { DAY_MS, type Granularity, getYear, type Period } from './calendar.js';
import type { DatedSpan } from './date-context.js';
import { resolveExplicitDates } from './explicit-dates.js';
import { periodAtDistance, resolveRelativeDates } from './relative-dates.js';

/** The words of a time and the days that it means, both included ("2024-03-09"). */
export interface ResolvedTime {
  /** Without a preposition: "Friday" of "on Friday". "ſ" is "s". */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly granularity: Granularity;
}

/** A time that a text names, from `start` to `end` of it. */
export interface ResolvedDate extends ResolvedTime {
  readonly start: number;
  readonly end: number;
}

/** Most texts name no time, and this test is faster than the rules. */
const MAY_NAME_TIME =
  /\d|day|morning|night|evening|afternoon|tomorrow|tmrw|week|month|year|fortnight|spring|summer|autumn|fall|winter|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
/** Under the flags `iu`, "s" and "k" match these letters too. They are one unit long, so positions stay the same. */
const CASE_VARIANTS = /[\u017f\u212a]/g;
const getToday = (saidAt: number) => Math.floor(saidAt / DAY_MS) * DAY_MS;
const isInRange = ({ from, to }: Period) => getYear(from) >= 1900 && getYear(to) < 2100;
const renderIsoDay = (day: number) => new Date(day).toISOString().slice(0, 10);

/**
 * Resolves the times that a text of the time `saidAt` (epoch ms) names, in order and without overlaps
 * (docs/reference/truth-and-time.md#relative-dates-are-resolved). Words that name no single time are left out. `tense`
 * is that of the text, where the caller knows it; otherwise it is detected beside each time.
 */
export function resolveDates(text: string, saidAt: number, tense?: Tense): ResolvedDate[] {
  const folded = text.replace(CASE_VARIANTS, (letter) => (letter === '\u212a' ? 'K' : 's'));
  if (!Number.isFinite(saidAt) || !MAY_NAME_TIME.test(folded)) return [];
  const today = getToday(saidAt);
  const spans = [...resolveRelativeDates(folded, today, tense), ...resolveExplicitDates(folded, today, tense)]
    .filter(({ period }) => isInRange(period))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  return dropOverlaps(spans).map(({ start, end, period }) => {
    return { start, end, ...toTime(folded.slice(start, end), period) };
  });
}

/**
 * Resolves "`count` `unit`s ago" of the time `saidAt` (epoch ms), such as 3 and "year", each once: a text may repeat it
 * thousands of times. Null without a valid time, and outside of 1900 to 2099.
 */
export function createAgoResolver(saidAt: number): (count: number, unit: string) => ResolvedTime | null {
  const resolved = new Map<string, ResolvedTime | null>();
  return (count, unit) => {
    const text = `${count} ${unit}s ago`;
    let time = resolved.get(text);
    if (time === undefined) {
      const period = periodAtDistance(unit, -count, getToday(saidAt));
      time = isInRange(period) ? toTime(text, period) : null;
      resolved.set(text, time);
    }
    return time;
  };
}

function toTime(text: string, { from, to, granularity }: Period): ResolvedTime {
  return { text, from: renderIsoDay(from), to: renderIsoDay(to), granularity };
}

/** Of overlapping spans the longer one is kept. */
function dropOverlaps(spans: readonly DatedSpan[]): DatedSpan[] {
  const kept: DatedSpan[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end - span.start > last.end - last.start) kept[kept.length - 1] = span;
  }
  return kept;
}
