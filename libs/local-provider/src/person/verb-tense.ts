import type { Token } from '../clauses/tag-clause.js';

const PAST_FORMS = new Set(
  `was were had did went got came took made saw met ran won lost began wrote found spent told gave left felt kept thought
  bought brought caught taught built sent sold held stood understood paid said heard slept swam sang drank drove rode rose
  flew grew knew threw drew broke spoke woke chose froze forgot ate fell fed led lent meant sat shot stole stuck struck swore
  tore wore bit blew became dealt dug fought hid hung laid learnt dreamt quit`.split(/\s+/),
);

/** Verbs that look the same now and then. Only `read` is used more of habits than of a single time. */
const SAME_IN_PAST = new Set('put cut hit set let cost hurt shut spread bet split beat read'.split(' '));

/** True when the word cannot take a present ending. `past` says what the rest of the sentence told about its time. */
export function isPastForm(token: Token, past: boolean): boolean {
  if (SAME_IN_PAST.has(token.lower)) return past;
  return PAST_FORMS.has(token.lower) || token.tags.has('PastTense') || token.tags.has('Participle');
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
