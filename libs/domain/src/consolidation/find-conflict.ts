import { analyzeTerms, readStatedFacts } from '@annals/english';
import { isReordered } from '../meaning/is-rewording.js';
import { type FactKind, findLostFacts } from '../meaning/kept-facts.js';
import { listCanonicalWords } from './canonical-words.js';
import { findContaining, splitsName } from './find-containing.js';
import { toRepresentative } from './person-words.js';
import { listQualifiers } from './qualifiers.js';
import { readSubject, readTense, readVerb, type StatementSubject } from './read-subject.js';

/**
 * Why two statements are not one fact: in whom they speak of, in a fact, in whether it holds now (`tense`) and how far, in
 * who does what to whom, or in what is done (`words`).
 */
export type PairConflict = 'who' | FactKind | 'tense' | 'limit' | 'order' | 'words';

/** Facts that one statement may have and the other one not; if both have one of their own, they differ. */
const ADDABLE: readonly FactKind[] = ['number', 'date', 'name'];

/**
 * What shows that two statements are not one fact, whatever a model says
 * (docs/reference/consolidation.md#what-is-never-merged); null when nothing does. One may say more than
 * the other, but neither may say something else.
 */
export function findConflict(a: string, b: string): PairConflict | null {
  const [ofA, ofB] = [findLostFacts([a], b), findLostFacts([b], a)];
  if ([...ofA, ...ofB].some(({ kind }) => kind === 'negation')) return 'negation';
  const kind = ADDABLE.find((added) => [ofA, ofB].every((facts) => facts.some((fact) => fact.kind === added)));
  if (kind !== undefined) return kind;
  if (splitsName(a, b) || splitsName(b, a)) return 'name';
  if (listQualifiers(a).join(' ') !== listQualifiers(b).join(' ')) return 'limit';
  if (!isOneSubject(a, b)) return 'who';
  if (!isOneTense(a, b)) return 'tense';
  if (isReordered(a, b)) return 'order';
  if (isLimited(a, b)) return 'limit';
  return isOneVerb(a, b) && isOneVerb(b, a) && !isReplaced(a, b) ? null : 'words';
}

/** "Works at Siemens" and "worked at Siemens" are one fact and its end. */
export function isOneTense(a: string, b: string): boolean {
  const [first, second] = [readTense(a), readTense(b)];
  return first === null || second === null || first === second;
}

/** "In a park" may add to a statement; a model decides where words do not. */
const PREPOSITION =
  /^(?:with|in|at|on|by|for|from|of|to|as|since|near|about|before|after|during|between|through|under|over|into|and)$/u;

/** "Has a website" and "has a website idea": what follows directly makes another thing of it. */
function isLimited(a: string, b: string): boolean {
  const [first, second] = [listCanonicalWords(a), listCanonicalWords(b)];
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  const added = long[short.length];
  const isExtended = added !== undefined && short.every((word, at) => word === long[at]);
  return isExtended && !PREPOSITION.test(added) && findContaining(a, b) === null;
}

const MAX_REPLACED = 2;

/** "Painted the kitchen green" and "painted the bedroom green": the same sentence with another value. */
function isReplaced(a: string, b: string): boolean {
  const [first, second] = [listCanonicalWords(a), listCanonicalWords(b)];
  const replaced = first.flatMap((word, at) => (word === second[at] ? [] : [[word, second[at] ?? '']]));
  const isOneSentence = first.length === second.length && replaced.length <= MAX_REPLACED;
  return isOneSentence && replaced.some((words) => words.every((word) => listTerms(word).size > 0));
}

/** Plays chess and watches chess videos are two facts: the other statement has the verb too, unless it says nothing. */
function isOneVerb(a: string, b: string): boolean {
  const terms = listTerms(b);
  return [...listTerms(readVerb(a))].every((term) => terms.has(term));
}

/** Whether nothing shows that two statements speak of different people or things. */
export function isOneSubject(a: string, b: string): boolean {
  const [first, second] = [readSubject(a), readSubject(b)];
  const [words, others] = [listTerms(a), listTerms(b)];
  if (!isOneOwner(first, second, others) && !isOneOwner(second, first, words)) return false;
  // "The staging server" and "the production server".
  const differsA = first.things.some((term) => !others.has(toRepresentative(term)));
  const differsB = second.things.some((term) => !words.has(toRepresentative(term)));
  return !(differsA && differsB);
}

/**
 * The same people; or one is a thing that nobody is named with; or one is the thing of a person, of which the other one
 * speaks as the person's: "the rent of the user is", "the user pays rent".
 */
function isOneOwner(a: StatementSubject, b: StatementSubject, wordsOfB: ReadonlySet<string>): boolean {
  if (a.persons.join(' ') === b.persons.join(' ')) return true;
  if (a.persons.length === 0 || b.persons.length === 0) return true;
  const isOfThing = a.persons.length === 1 && a.things.length > 0 && a.persons[0] === `${b.persons.join(' ')}'s`;
  return isOfThing && a.things.every((term) => wordsOfB.has(toRepresentative(term)));
}

/** Without them a statement is about the same; negations are compared as such. */
const LIGHT = new Set(
  'not no never any cannot really very quite truly go goes went going take takes took get gets got make makes made put per every each since far like likes love loves enjoy enjoys located situated there'.split(
    ' ',
  ),
);

/** Stems of the words of topic, those that stand for each other as one; numbers, times and dates are compared as such. */
export function listTerms(text: string): ReadonlySet<string> {
  const { tokens, quantities, dates } = readStatedFacts(text);
  const taken = new Set([...quantities, ...dates].flatMap(({ from, to }) => range(from, to)));
  const words = tokens.flatMap(({ lower, isMark }, at) => {
    return isMark || taken.has(at) || LIGHT.has(lower) || lower.endsWith("n't") ? [] : [lower];
  });
  return new Set([...analyzeTerms(words.join(' ')).terms.keys()].map(toRepresentative));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
