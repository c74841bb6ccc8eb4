import {
  analyzeTerms,
  PAST_FORMS,
  readStatedFacts,
  type StatedFacts,
  stem,
  UNCHANGED_PAST_FORMS,
} from '@annals/english';
import { isPersonWord, toRepresentative } from './person-words.js';

/** Of whom or what a statement speaks. */
export interface StatementSubject {
  /** "user", names, relations; an owner with "'s": of "Rita's manager" they are "rita's" and "manager". Sorted. */
  readonly persons: readonly string[];
  /** Stems of the other words: "stage", "server" of "the staging server". */
  readonly things: readonly string[];
}

const VERB = new RegExp(
  `^(?:${[...PAST_FORMS, ...UNCHANGED_PAST_FORMS].join('|')}|is|are|am|has|have|does|do|can|cannot|could|will|would|must|should|may|might|not|never|no|there|\\p{Ll}{3,}ed)$`,
  'u',
);
const THIRD_PERSON = /^\p{Ll}{2,}s$/u;
const DETERMINER = /^(?:an?|the|one|two|three|four|five|six|his|her|their|some|many|all|both|of|in|on|at|and)$/u;
const AUXILIARY =
  /^(?:has|have|had|does|do|did|been|being|not|never|no|also|is|are|was|were|am|can|cannot|be|an?|the|\p{L}+n't|there)$/u;
const MAX_SUBJECT_WORDS = 10;

/** What stands before the first verb, as far as form shows it (English). */
export function readSubject(text: string): StatementSubject {
  const stated = readStatedFacts(text);
  const end = findVerb(stated);
  const names = new Set(stated.names.map(({ at }) => at));
  const persons: string[] = [];
  const things: string[] = [];
  for (const [at, token] of stated.tokens.slice(0, end).entries()) {
    if (token.isMark) continue;
    const isOwner = token.end - token.start > token.text.length || isOfPhrase(stated, at);
    const isPerson = names.has(at) || token.lower === 'user' || isPersonWord(token.lower);
    if (isPerson)
      persons.push(`${toRepresentative(stem(token.lower))}${isOwner && !isPersonWord(token.lower) ? "'s" : ''}`);
    else things.push(...analyzeTerms(token.lower).terms.keys());
  }
  return { persons: [...new Set(persons)].toSorted(), things: [...new Set(things)] };
}

/** The first verb, without auxiliaries; empty when there is none. */
export function readVerb(text: string): string {
  const { tokens } = readStatedFacts(text);
  let at = findVerb({ tokens });
  while (AUXILIARY.test(tokens[at]?.lower ?? '')) at += 1;
  const verb = tokens[at];
  return verb?.isMark === false ? verb.lower : '';
}

const PAST = new Set([...PAST_FORMS, 'was', 'were', 'had', 'did']);
const UNCHANGED = new Set(UNCHANGED_PAST_FORMS);
const PARTICIPLE = /^(?:been|\p{Ll}{2,}ed|\p{Ll}+n)$/u;

/** Of the first verb; null where its form does not tell, and for a perfect ("has moved"), which goes with both. */
export function readTense(text: string): 'past' | 'present' | null {
  const { tokens } = readStatedFacts(text);
  const at = findVerb({ tokens });
  const verb = tokens[at]?.lower ?? '';
  if (UNCHANGED.has(verb) || verb === '') return null;
  if (PAST.has(verb) || /^(?:was|were|did|had)n't$/u.test(verb) || verb.endsWith('ed')) return 'past';
  const isPerfect = /^ha(?:s|ve)$/u.test(verb) && PARTICIPLE.test(tokens[at + 1]?.lower ?? '');
  return isPerfect ? null : 'present';
}

function findVerb({ tokens }: Pick<StatedFacts, 'tokens'>): number {
  const end = Math.min(tokens.length, MAX_SUBJECT_WORDS);
  for (let at = 1; at < end; at += 1) {
    const { lower, text, start, end: stop, isMark } = tokens[at]!;
    if (isMark || stop - start > text.length) continue;
    const before = tokens[at - 1]!.lower;
    // "The user's parents fly": a plural behind an article is no verb.
    const mayBeVerb = THIRD_PERSON.test(lower) && !DETERMINER.test(before) && !isPersonWord(lower);
    if (VERB.test(lower) || mayBeVerb || lower.endsWith("n't")) return at;
  }
  return end;
}

/** "The office of the user". */
function isOfPhrase({ tokens }: StatedFacts, at: number): boolean {
  const before = tokens[at - 1]?.lower === 'the' ? tokens[at - 2] : tokens[at - 1];
  return before?.lower === 'of';
}
