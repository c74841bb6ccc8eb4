import { MONTHS } from '../text/months.js';
import { resolveDates } from '../text/resolve-dates.js';
import { splitWords } from '../text/split-words.js';
import { STOP_WORDS } from '../text/stop-words.js';
import { CONCEPTS } from './concepts/index.js';
import { dayTerm, ROLE_TERMS, speakerTerm, TIME_TERM } from './marked-terms.js';
import { toIndexTerm } from './to-index-term.js';
import type { QueryTerm } from './types.js';

// Measured (decision record 0020): a concept weighs half a word; naming a speaker nearly doubles the scores of what
// they said.
const CONCEPT_WEIGHT = 0.5;
const SPEAKER_BOOST = 0.8;
const TIME_BOOST = 0.1;
const ROLE_BOOST = 0.5;

/** Words that only frame a query; its subject is in the other words. */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  (
    'kind type sort name many much thing something anything happen time year month week day like want new make use ' +
    'know see look good great first last feel think take come get go'
  )
    .split(' ')
    .map(toIndexTerm),
);
const FRAME_WEIGHT = 0.5;

/** Limits the work of one query; real queries have fewer terms. */
const MAX_TERMS = 64;

const ASKS_FOR_TIME = /\b(?:when|how long|how old|(?:what|which) (?:time|date|day|month|year|season))\b/i;
const ASKS_WHAT_YOU_SAID =
  /\byou(?:'ve| have| had)? (?:say|said|tell|told|mention|recommend|suggest|advise|propose|give|gave|explain|describe|list|write|wrote)|\byour (?:advice|suggestion|recommendation|answer|tip|plan|list)|\bthe assistant\b/i;
const ASKS_ABOUT_ME = /\b(?:i|me|my|mine|myself|we|us|our)\b/i;
const CAPITALISED = /^\p{Lu}/u;
const MONTH_INDEXES: ReadonlyMap<string, number> = new Map(
  MONTHS.map((month, position) => [month.toLowerCase(), position]),
);
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;

/**
 * The search terms of a query, each once: its words, their concepts, the days that it names, and as boosts the speakers
 * that it names and whether it asks for a time. `now` (epoch ms) resolves "yesterday".
 */
export function analyzeQuery(text: string, { now }: { readonly now: number }): QueryTerm[] {
  const weights = new Map<string, number>();
  const boosts = new Map<string, number>();
  const words = splitWords(text);
  const dates = findDays(words);
  words.forEach((word, position) => {
    if (word === '' || STOP_WORDS.has(word) || dates.numbers.has(position)) return;
    const term = toIndexTerm(word);
    weights.set(term, (weights.get(term) ?? 0) + (FRAME_WORDS.has(term) ? FRAME_WEIGHT : 1));
    for (const concept of CONCEPTS.ofQuery.get(term) ?? []) weights.set(concept, CONCEPT_WEIGHT);
  });
  for (const day of dates.terms) weights.set(day, 1);
  for (const { day } of resolveDates(text, now)) if (day !== null) weights.set(toDayTerm(day), 1);
  for (const name of listNames(text)) boosts.set(speakerTerm(name), SPEAKER_BOOST);
  if (ASKS_FOR_TIME.test(text)) boosts.set(TIME_TERM, TIME_BOOST);
  if (ASKS_WHAT_YOU_SAID.test(text)) boosts.set(ROLE_TERMS.assistant, ROLE_BOOST);
  else if (ASKS_ABOUT_ME.test(text)) boosts.set(ROLE_TERMS.user, ROLE_BOOST);
  return [
    ...Array.from(weights, ([term, weight]) => ({ term, weight })),
    ...Array.from(boosts, ([term, weight]) => ({ term, weight, isBoost: true })),
  ].slice(0, MAX_TERMS);
}

/** Days such as "May 7" and "7th of May", and the positions of their numbers, which have no meaning by themselves. */
function findDays(words: readonly string[]): { terms: string[]; numbers: ReadonlySet<number> } {
  const terms: string[] = [];
  const numbers = new Set<number>();
  words.forEach((word, position) => {
    const month = MONTH_INDEXES.get(word);
    if (month === undefined) return;
    const beside = [position + 1, position - 1, words[position - 1] === 'of' ? position - 2 : -1];
    const found = beside.find((candidate) => DAY.test(words[candidate] ?? ''));
    if (found === undefined) return;
    terms.push(dayTerm(month, Number(DAY.exec(words[found]!)![1])));
    numbers.add(found);
  });
  return { terms, numbers };
}

function toDayTerm(day: number): string {
  const date = new Date(day);
  return dayTerm(date.getUTCMonth(), date.getUTCDate());
}

/** Words that may be a speaker's name: those with a capital, or all where nothing is capitalised. */
function listNames(text: string): string[] {
  const pieces = text.split(/\s+/);
  const capitalised = pieces.filter((piece) => CAPITALISED.test(piece));
  const names = (capitalised.length > 0 ? capitalised : pieces).flatMap(splitWords);
  return names.filter((name) => name !== '' && !STOP_WORDS.has(name));
}
