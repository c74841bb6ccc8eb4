import { MIN_INSTANT, MAX_INSTANT } from '@annals/contracts';
import { DATE_RULES } from './date-rules.js';

/** A sentence whose relative dates were replaced by calendar dates; `startsAt` is the first one's instant (epoch ms). */
export interface DatedText {
  text: string;
  startsAt?: number;
}

// A sentence with more dates than this is a schedule, not a statement; the first ones are resolved.
const MAX_DATES = 3;
const MAY_HOLD_A_DATE =
  /\d|last |next |day|night|tomorrow|week|month|year|morning|afternoon|evening|spring|summer|fall|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december/i;

/**
 * Resolves dates against the time the message was said (docs/reference/truth-and-time.md#relative-dates-are-resolved):
 * "yesterday" becomes "on 7 May 2023". What cannot be placed ("recently", "the other day") stays as it is.
 */
export function resolveDates(sentence: string, saidAt: number, past: boolean): DatedText {
  if (!MAY_HOLD_A_DATE.test(sentence)) return { text: sentence };
  let text = sentence;
  let found: { at: number; startsAt: number } | undefined;
  const done: string[] = [];
  for (const { pattern, resolve } of DATE_RULES) {
    if (done.length === MAX_DATES) break;
    const match = pattern.exec(text);
    if (!match) continue;
    const date = resolve(lowerCaseGroups(match), saidAt, past);
    if (!date || date.startsAt < MIN_INSTANT || date.startsAt >= MAX_INSTANT) continue;
    // A placeholder keeps later rules from reading the resolved text again.
    text = `${text.slice(0, match.index)}\u0001${done.length}\u0001${text.slice(match.index + match[0].length)}`;
    done.push(date.text);
    if (!found || match.index < found.at) {
      found = { at: match.index, startsAt: date.startsAt };
    }
  }
  text = text.replace(/\u0001(\d)\u0001/g, (_, index: string) => done[Number(index)]!);
  return found ? { text, startsAt: found.startsAt } : { text };
}

function lowerCaseGroups(match: RegExpExecArray): Record<string, string | undefined> {
  const entries = Object.entries(match.groups ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value?.toLowerCase()]));
}
