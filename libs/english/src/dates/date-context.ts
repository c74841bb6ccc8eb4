import { describesHabit, detectTense, type Tense } from '../tense/detect-tense.js';
import { type Period, getYear } from './calendar.js';
import { findWordBefore, isCompleteAt } from './date-words.js';

/** The part `start` to `end` of a text, and the days that it means. */
export interface DatedSpan {
  readonly start: number;
  readonly end: number;
  readonly period: Period;
}

/** "My birthday is on 8 May" is about every year; "My birthday is on Friday" about this one. */
const YEARLY = /\b(?:birthday|anniversary)\s(?:is|falls)\s(?:on\s|in\s)?$/i;

const GOT = '(?:got|gave|given|get|set|made|agreed|received|fixed|arranged|scheduled|booked|offered|confirmed)';
const BOOKED =
  '(?:booked|reserved|(?:re)?scheduled|planned|arranged|signed\\sup|registered|enrolled|entered|fixed|set|bought)';
const MOVED = '(?:moved|postponed|delayed|rescheduled|pushed(?:\\sback)?|shifted|deferred|put\\soff|extended)';
const EVENT =
  '(?:deadline|due\\sdate|appointment|exam|interview|hearing|surgery|operation|viewing|slot|race|marathon|flight|trip)';
/** Up to six words of one clause. */
const WORDS = "(?:\\s(?!(?:and|but|or|then|when|while|after|before|because|so)\\s)[\\w'’-]+){0,6}?";
/**
 * What ends before a time that lies ahead though the verb is in the past: the time of an arrangement, not of arranging.
 * "Booked a flight for", "signed up for the exam on", "got an appointment on", "moved the hearing to".
 */
const ARRANGED = new RegExp(
  `\\b(?:${BOOKED}${WORDS}\\sfor|(?:signed\\sup|registered|enrolled)\\sfor${WORDS}\\son|${GOT}${WORDS}\\s${EVENT}\\s(?:on|of|for|at)|${MOVED}${WORDS}\\s${EVENT}\\sto)\\s(?:the\\s)?$`,
  'i',
);

/** In UTF-16 units. */
const MAX_ARRANGEMENT = 96;

type Which = 'last' | 'next' | 'on';

export type DateContext = ReturnType<typeof createDateContext>;

/** What the words around the part `start` to `end` of a text indicate about the time that it names. */
export function createDateContext(text: string, start: number, end: number, today: number, knownTense?: Tense) {
  const before = findWordBefore(text, start);
  const tense = () => knownTense ?? detectTense(text, start, end);
  const isHabit = () => describesHabit(text, start, end);
  const isYearly = () => isHabit() || YEARLY.test(text.slice(Math.max(0, start - 32), start));
  /** The side of today on which a time lies that does not say so itself. */
  const side = (): -1 | 1 => {
    if (/^(?:since|by|until|till)$/.test(before)) return before === 'since' ? -1 : 1;
    if (tense() !== 'past') return 1;
    return ARRANGED.test(text.slice(Math.max(0, start - MAX_ARRANGEMENT), start)) ? 1 : -1;
  };
  /** "Last" is the latest that is over, "next" the first that has not begun, "on" may contain today. */
  const pickFrom = (origin: number, which: Which, at: (step: number) => Period | null) => {
    const direction = which === 'on' ? side() : which === 'last' ? -1 : 1;
    // A leap day recurs after 8 years at most.
    for (let step = -1; step <= 8; step += 1) {
      const period = at(origin + direction * step);
      if (period === null) continue;
      const [near, far] = direction < 0 ? [period.to, period.from] : [period.from, period.to];
      if (((which === 'on' ? far : near) - today) * direction >= (which === 'on' ? 0 : 1)) return period;
    }
    return null;
  };
  const pickYear = (which: Which, at: (year: number) => Period | null) => pickFrom(getYear(today), which, at);
  const isOnce = () => !isHabit() && /past|future/.test(tense() ?? '');
  const isComplete = () => isCompleteAt(text, end);
  const rest = text.slice(end, end + 12);
  return { today, before, rest, tense, isOnce, isHabit, isYearly, isComplete, side, pickYear, pickFrom };
}
