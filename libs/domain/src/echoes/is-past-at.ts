import { PAST_FORMS } from '@annals/english';
import { isAdverb, type TurnToken } from './read-turn.js';

const FINITE: ReadonlySet<string> = new Set(PAST_FORMS.filter((form) => form !== 'got'));
const PERFECT = new Set(['have', 'has']);
const LASTING = new Set(['since', 'for']);
/** In tokens: how far "since" or "for" may stand behind what has lasted. */
const DURATION_REACH = 3;
/** Adverbs between a subject and its verb that are looked past. */
const MAX_ADVERBS = 3;

/** Whether a word of a memory or a turn is the past form of a verb that follows its subject. */
export function isPastForm(word: string): boolean {
  return FINITE.has(word) || isRegularPast(word);
}

const isRegularPast = (word: string) => word.length > 3 && word.endsWith('ed');

/**
 * Whether the tokens from `from` to `end` say how things were: with an irregular past form, or a regular one right
 * behind the subject, since "a rented flat" says nothing of time. "I have lived there" is of the past unless it says
 * since when, or for how long.
 */
export function isPastAt(
  tokens: readonly TurnToken[],
  { from, end }: { readonly from: number; readonly end: number },
  isSubject: (position: number) => boolean,
): boolean {
  const lasts = tokens.slice(Math.max(0, from - 1), end + 1 + DURATION_REACH).some(({ word }) => LASTING.has(word));
  for (let at = from; at <= end; at += 1) {
    const { word, isName } = tokens[at]!;
    if (isName) continue;
    if (FINITE.has(word)) return true;
    if (!isRegularPast(word)) continue;
    let before = at - 1;
    while (before >= 0 && before >= at - MAX_ADVERBS && isAdverb(tokens[before]!.word)) before -= 1;
    if (before < 0) continue;
    if (isSubject(before)) return true;
    if (PERFECT.has(tokens[before]!.word) && !lasts) return true;
  }
  return false;
}
