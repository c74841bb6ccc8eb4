import { PAST_FORMS, UNCHANGED_PAST_FORMS } from '@annals/english';
import type { Token } from '../clauses/tag-clause.js';

const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  have: 'has',
  do: 'does',
  were: 'was',
  go: 'goes',
};

/** Verbs without a third person of their own. */
const UNCHANGING = new Set(
  'can could may might must shall should will would ought was is has does had did used cannot been'.split(' '),
);

/** Third person singular of a present form: like → likes, am → is, study → studies. Modals stay as they are. */
export function conjugateThirdPerson(verb: string): string {
  const lower = verb.toLowerCase();
  if (UNCHANGING.has(lower)) return verb;
  const irregular = IRREGULAR[lower];
  if (irregular) return irregular;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${verb}es`;
  return `${verb}s`;
}

const PAST: ReadonlySet<string> = new Set(PAST_FORMS);
/** Verbs that look the same now and then. Only `read` is used more of habits than of a single time. */
const SAME_IN_PAST: ReadonlySet<string> = new Set(UNCHANGED_PAST_FORMS);

/** True when the word cannot take a present ending. `past` says what the rest of the sentence told about its time. */
export function isPastForm(token: Token, past: boolean): boolean {
  if (SAME_IN_PAST.has(token.lower)) return past;
  return PAST.has(token.lower) || token.tags.has('PastTense') || token.tags.has('Participle');
}

const PAST_MARK =
  /\b(?:yesterday|last (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|ago|this morning|the other day|in (?:19|20)\d\d|recently|once)\b/i;
const HABIT_MARK = /\b(?:every|each|usually|often|always|sometimes|daily|weekly|regularly|a lot|when)\b/i;

/** True when the predicate tells of the past; `tokens` are its words. */
export function isPast(predicate: string, tokens: readonly Token[], isAdverb: (token: Token) => boolean): boolean {
  const verb = tokens.find((token) => !isAdverb(token));
  if (!verb) return false;
  if (SAME_IN_PAST.has(verb.lower)) {
    return PAST_MARK.test(predicate) || (verb.lower !== 'read' && !HABIT_MARK.test(predicate));
  }
  if (verb.lower === 'used') return true;
  return isPastForm(verb, false);
}
