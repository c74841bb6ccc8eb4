import {
  readAskedRole,
  type ResolvedDate,
  resolveDates,
  resolvePersons,
  splitWords,
  STOP_WORDS,
} from '@annals/english';
import { CONCEPTS } from './concepts.js';
import { dayTerm, ROLE_TERMS, speakerTerm, TIME_TERM } from './marked-terms.js';
import { toIndexTerm } from './to-index-term.js';
import type { QueryTerm } from './types.js';

// Measured (decision records 0020 and 0051): naming a speaker nearly doubles the scores of what they said.
const CONCEPT_WEIGHT = 0.5;
const SPEAKER_BOOST = 0.8;
const TIME_BOOST = 0.1;
const ROLE_BOOST = 1;
/** Memories are not said by anybody: one about the user calls them "the user". */
const ABOUT_USER: QueryTerm = { term: toIndexTerm('user'), weight: ROLE_BOOST, isBoost: true, kind: 'memory' };

/** Words that only frame a query; its subject is in the other words. */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  (
    'kind type sort name many much thing something anything happen time year month week day like want new make use ' +
    'know see look good great first last feel think take come get go say tell mention recommend suggest advise propose explain'
  )
    .split(' ')
    .map(toIndexTerm),
);
const FRAME_WEIGHT = 0.5;

/** Limits the work of one query; real queries have fewer terms. */
const MAX_TERMS = 64;

const ASKS_FOR_TIME = /\b(?:when|how long|how old|(?:what|which) (?:time|date|day|month|year|season))\b/i;
const CAPITALISED = /^\p{Lu}/u;
const DAY_NUMBER = /(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)/g;

/**
 * The search terms of a query, each word once: its words, their concepts, the days that it names, and as boosts the speakers
 * that it names, whose messages it is about (docs/reference/recall.md#whose-messages-a-query-is-about) and whether it asks
 * for a time. `now` (epoch ms) resolves "yesterday".
 */
export function analyzeQuery(query: string, { now }: { readonly now: number }): QueryTerm[] {
  const text = resolvePersons(query);
  const weights = new Map<string, number>();
  const boosts = new Map<string, number>();
  const days = resolveDates(text, now).filter(({ granularity }) => granularity === 'day');
  for (const word of splitWords(removeDayNumbers(text, days))) {
    if (word === '' || STOP_WORDS.has(word)) continue;
    const term = toIndexTerm(word);
    weights.set(term, (weights.get(term) ?? 0) + (FRAME_WORDS.has(term) ? FRAME_WEIGHT : 1));
    for (const concept of CONCEPTS.ofQuery.get(term) ?? []) weights.set(concept, CONCEPT_WEIGHT);
  }
  for (const { from } of days) weights.set(dayTerm(from), 1);
  for (const name of listNames(query)) boosts.set(speakerTerm(name), SPEAKER_BOOST);
  if (ASKS_FOR_TIME.test(text)) boosts.set(TIME_TERM, TIME_BOOST);
  const role = readAskedRole(text);
  if (role !== null) boosts.set(ROLE_TERMS[role], ROLE_BOOST);
  return [
    ...Array.from(weights, ([term, weight]) => ({ term, weight })),
    ...Array.from(boosts, ([term, weight]) => ({ term, weight, isBoost: true })),
    ...(role === 'user' ? [ABOUT_USER] : []),
  ].slice(0, MAX_TERMS);
}

/** The text without the "7" of "May 7", which has no meaning by itself. */
function removeDayNumbers(text: string, days: readonly ResolvedDate[]): string {
  let kept = '';
  let offset = 0;
  for (const day of days) {
    kept += text.slice(offset, day.start) + day.text.replace(DAY_NUMBER, ' ');
    offset = day.end;
  }
  return kept + text.slice(offset);
}

/** Words that may be a speaker's name: those with a capital, or all where nothing is capitalised. */
function listNames(text: string): string[] {
  const pieces = text.split(/\s+/);
  const capitalised = pieces.filter((piece) => CAPITALISED.test(piece));
  const names = (capitalised.length > 0 ? capitalised : pieces).flatMap(splitWords);
  return names.filter((name) => name !== '' && !STOP_WORDS.has(name));
}
