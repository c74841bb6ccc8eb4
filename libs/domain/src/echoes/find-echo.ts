import { createSliceMeter } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { isPastAt } from './is-past-at.js';
import { isLimiting } from './limits.js';
import { addsNothing, type EchoedStatement, isNegation, type StatementTerm } from './read-statement.js';
import { type EchoingTurn, isAdverb, type TurnSentence, type TurnSpeaker, type TurnToken } from './read-turn.js';
import { standsForOther } from './same-words.js';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const FIRST_PERSON = wordSet('i me my mine we us our ours');
const SECOND_PERSON = wordSet('you your yours');
/** "The user" and "the user's", as `splitWords` returns them. */
const OF_MEMORIES = wordSet('user users');
/** Who has something now is not meant by the verb before: "you could ask your landlord". */
const POSSESSIVES = wordSet('my our your users');
const SUBJECTS = wordSet('i we you user');
const THIRD_PERSON = wordSet(
  'he she they his her their him them everyone everybody somebody someone people nobody who',
);
/** People that somebody has: what is said of them is not said of the user. */
const RELATIONS = wordSet(
  'mother mom mum father dad parent parents sister sisters brother brothers son sons daughter daughters wife husband spouse ' +
    'partner girlfriend boyfriend fiance fiancee aunt uncle cousin nephew niece grandmother grandma grandfather grandpa ' +
    'grandparents friend friends neighbour neighbor neighbours neighbors colleague colleagues boss manager roommate ' +
    'flatmate landlord child children kid kids baby family doctor teacher client customer',
);
const HYPOTHETICAL = wordSet(
  'if unless whether suppose imagine wish hope want wants wanted maybe perhaps consider considering plan planning pretend',
);
const MODALS = wordSet('would could might may should can will shall');
const LIGHT = wordSet(
  'am is are was be been have has had got a an the still also now already really actually currently just always in at every',
);
const CONTINUES = wordSet('so and but since because now too anyway here these nowadays today again as or then');
/** What is not so any more, or not yet: "I left my job", "my former home", "I start my job in May". */
const ENDS = wordSet(
  'left leave leaves leaving resign resigned fired lost lose losing former ex previous previously start starting',
);
/** "A Volvo like the one you drive". */
const COMPARES = wordSet('like one');
/** They join another clause, unless they join two subjects ("Eva and I"). */
const JOINS = wordSet('and or but');
/** "Don't forget that …" denies nothing. */
const AFTER_IDLE_NEGATION = wordSet('forget only worry problem doubt wonder');
const DIVIDES = /^[.,;:!?()—–]$/u;

/** What means the user, or the speaker that a statement names, by who speaks. */
const PRONOUNS = {
  user: FIRST_PERSON,
  other: FIRST_PERSON,
  assistant: SECOND_PERSON,
  nobody: OF_MEMORIES,
} as const satisfies Record<TurnSpeaker['is'], ReadonlySet<string>>;

/** In tokens: how far whom a statement is about may stand from it. */
const SUBJECT_REACH = 6;
/** In tokens, beside those that match. */
const MAX_GAPS = 8;
const NEGATION_REACH = 4;
const CONDITION_REACH = 32;

/** What looking up a statement's terms in a sentence costs, as much as reading this many UTF-16 units. */
const COMPARISON_UNITS = 16;
/** What judging a sentence that has the terms costs, at most. */
const MATCH_UNITS = 256;
/** Of one term's words in a sentence. */
const MAX_OCCURRENCES = 16;

/** A statement's repetition in a turn. */
export interface Echo<Statement extends EchoedStatement = EchoedStatement> {
  readonly statement: Statement;
  /** Positions of the words that repeat it, by sentence. */
  readonly words: ReadonlyMap<number, readonly number[]>;
}

/**
 * The statements that a turn repeats: in a sentence with their names, numbers, and enough of their other terms, about
 * the same subject and of the same sense (docs/reference/recall.md#echoes). English only, and rather too few than too
 * many: a condition, a wish, a question, another person and another value say something else.
 */
export function* findEchoes<Statement extends EchoedStatement>(
  { sentences, speaker }: EchoingTurn,
  statements: readonly Statement[],
): Sliced<Echo<Statement>[]> {
  const meter = createSliceMeter();
  const found = new Map<Statement, Map<number, readonly number[]>>();
  for (const [index, sentence] of sentences.entries()) {
    for (const statement of statements) {
      yield* meter(COMPARISON_UNITS);
      const words = findWords(sentence, statement, speaker);
      if (words === null) continue;
      yield* meter(MATCH_UNITS);
      const positions = matchWords(sentence, statement, words);
      if (positions === null) continue;
      found.set(statement, (found.get(statement) ?? new Map<number, readonly number[]>()).set(index, positions));
    }
  }
  return [...found].map(([statement, words]) => ({ statement, words }));
}

type Positions = readonly number[];

/** Where a sentence has the words of a statement: for each, all positions. */
interface FoundWords {
  /** Of whom or what it is about; none where pronouns tell. */
  readonly subject: readonly Positions[];
  /** Of the terms that the sentence has. */
  readonly terms: readonly Positions[];
  readonly missing: number;
  /** What means whom the statement is about; null where the subject is named. */
  readonly pronouns: ReadonlySet<string> | null;
}

/** Null when a sentence lacks what no echo is without. */
function findWords(sentence: TurnSentence, statement: EchoedStatement, speaker: TurnSpeaker): FoundWords | null {
  if (sentence.isQuestion) return null;
  const all = statement.terms.map((term) => listPositions(sentence, term));
  if (all.some((positions, index) => positions.length === 0 && statement.terms[index]!.isRequired)) return null;
  const terms = all.filter(({ length }) => length > 0);
  if (terms.length < statement.floor) return null;
  const isOfSpeaker = speaker.is === 'other' && speaker.name !== null && speaker.name === statement.subject.join(' ');
  const subject = isOfSpeaker ? [] : statement.subject.map((term) => sentence.positions.get(term) ?? []);
  if (subject.some(({ length }) => length === 0)) return null;
  const missing = all.length - terms.length;
  if (subject.length > 0) return { subject, terms, missing, pronouns: null };
  if (speaker.is === 'other' && !isOfSpeaker) return null;
  return { subject, terms, missing, pronouns: PRONOUNS[speaker.is] };
}

/** Of the tokens that a term, or one that may stand for it, has; ascending. */
function listPositions({ positions, tokens }: TurnSentence, { term: own, same }: StatementTerm): Positions {
  const others = same.filter((term) => term !== own).flatMap((term) => positions.get(term) ?? []);
  const standing = others.filter((at) =>
    standsForOther(tokens[at]!.word, { before: tokens[at - 2]?.word, next: tokens[at + 1]?.word }),
  );
  const exact = positions.get(own) ?? [];
  return standing.length === 0 ? exact : [...exact, ...standing].toSorted((a, b) => a - b).slice(0, MAX_OCCURRENCES);
}

/** Positions of the tokens that repeat the statement. */
function matchWords(
  { tokens }: TurnSentence,
  statement: EchoedStatement,
  { subject, terms, missing, pronouns }: FoundWords,
): Positions | null {
  const positions = findWindow([...subject, ...terms]);
  if (positions === null) return null;
  const repeating = new Set(positions);
  const [start, end] = [Math.min(...positions), Math.max(...positions)];
  const isOrdered = isInOrder(positions.slice(subject.length));
  if (statement.isOrdered && !isOrdered) return null;
  if (isDenied(tokens, repeating) !== statement.isNegated) return null;
  if (isHypothetical(tokens, start) || isLimited(tokens, repeating)) return null;
  const between = tokens.slice(start, end).filter((_, index) => !repeating.has(start + index));
  if (between.some(isSomebodyElse)) return null;
  if (between.filter((token) => isOther(token) && !COMPARES.has(token.word)).length > missing) return null;
  const named = new Set(positions.slice(0, subject.length));
  const isSubject = (at: number) => named.has(at) || (pronouns !== null && SUBJECTS.has(tokens[at]!.word));
  const from = pronouns === null ? start : (findPronoun(tokens, start, pronouns) ?? start);
  if (!statement.isPast && isPastAt(tokens, { from, end }, isSubject)) return null;
  // "Ben lives there with Ana" says it of Ben.
  if (pronouns === null) return named.has(end) && tokens[end]!.isName ? null : positions;
  if (terms.length === 1 && !isBare(tokens, start, pronouns)) return null;
  const isAbout = between.some(({ word }) => pronouns.has(word))
    ? isOrdered || from === start || !between.some(({ word }) => JOINS.has(word) || DIVIDES.test(word))
    : (isOrdered || between.length === 0) && isAboutAddressed(tokens, { start, end, missing }, pronouns);
  return isAbout ? positions : null;
}

/** One position for each word, as near to each other as there are; null when that is too far. */
function findWindow(occurrences: readonly Positions[]): number[] | null {
  let best: number[] | null = null;
  for (const anchor of occurrences[0]!) {
    const near = occurrences.map((positions) =>
      positions.reduce((a, b) => (Math.abs(b - anchor) < Math.abs(a - anchor) ? b : a)),
    );
    if (best === null || reach(near) < reach(best)) best = near;
  }
  return best !== null && reach(best) < occurrences.length + MAX_GAPS ? best : null;
}

const reach = (positions: Positions) => Math.max(...positions) - Math.min(...positions);

const isInOrder = (positions: Positions) => positions.every((at, index) => index === 0 || positions[index - 1]! < at);

/** The tokens before a position, nearest first, up to a mark. */
function listBefore(tokens: readonly TurnToken[], position: number, limit: number): TurnToken[] {
  const before = tokens.slice(Math.max(0, position - limit), position).toReversed();
  const mark = before.findIndex(({ word }) => DIVIDES.test(word));
  return mark < 0 ? before : before.slice(0, mark);
}

function isDenied(tokens: readonly TurnToken[], repeating: ReadonlySet<number>): boolean {
  const [start, end] = [Math.min(...repeating), Math.max(...repeating)];
  const first = start - listBefore(tokens, start, NEGATION_REACH).length;
  return tokens.slice(first, end + 3).some(({ word }, index) => {
    const next = tokens[first + index + 1]?.word ?? '';
    if (word === 'used') return next === 'to';
    if (ENDS.has(word)) return !repeating.has(first + index);
    return isNegation(word) && !AFTER_IDLE_NEGATION.has(next);
  });
}

/** Whether it is said to be so rarely, or hardly, while the statement does not say this. */
function isLimited(tokens: readonly TurnToken[], repeating: ReadonlySet<number>): boolean {
  const [start, end] = [Math.min(...repeating), Math.max(...repeating)];
  const first = start - listBefore(tokens, start, NEGATION_REACH).length;
  return tokens.slice(first, end).some(({ word }, index) => isLimiting(word) && !repeating.has(first + index));
}

function isHypothetical(tokens: readonly TurnToken[], start: number): boolean {
  const before = listBefore(tokens, start, CONDITION_REACH);
  return before[0]?.word === 'to' || before.some(({ word }) => HYPOTHETICAL.has(word));
}

/** The pronoun nearest before a position, in its reach and up to a mark. */
function findPronoun(tokens: readonly TurnToken[], position: number, pronouns: ReadonlySet<string>): number | null {
  const before = listBefore(tokens, position, SUBJECT_REACH).findIndex(({ word }) => pronouns.has(word));
  return before < 0 ? null : position - 1 - before;
}

/**
 * Whether the words are about the one that the pronouns mean: nearest before them, with no other verb or thing on the
 * way, or behind what begins with a gerund ("Living in Lisbon must be lovely for you").
 */
function isAboutAddressed(
  tokens: readonly TurnToken[],
  { start, end, missing }: { readonly start: number; readonly end: number; readonly missing: number },
  pronouns: ReadonlySet<string>,
): boolean {
  const pronoun = findPronoun(tokens, start, pronouns);
  if (pronoun !== null) {
    const between = tokens.slice(pronoun + 1, start);
    if (between.some(isSomebodyElse) || between.filter(isOther).length > missing) return false;
    return POSSESSIVES.has(tokens[pronoun]!.word) || !between.some(({ word }) => MODALS.has(word));
  }
  if (listBefore(tokens, start, SUBJECT_REACH).some(isSomebodyElse)) return false;
  if (!tokens[start]!.word.endsWith('ing')) return false;
  return tokens.slice(end + 1, end + 1 + SUBJECT_REACH).some(({ word }) => pronouns.has(word));
}

/** A word that says something of its own, so that what stands around it may say something else. */
function isOther({ word, term }: TurnToken): boolean {
  return term !== null && !LIGHT.has(word) && !addsNothing(word) && !isAdverb(word);
}

function isSomebodyElse({ word, isName }: TurnToken): boolean {
  return (isName && !addsNothing(word)) || THIRD_PERSON.has(word) || RELATIONS.has(word);
}

/** A single word says something only in a bare form: "you are vegetarian", "your diabetes", not "a vegetarian recipe". */
function isBare(tokens: readonly TurnToken[], position: number, pronouns: ReadonlySet<string>): boolean {
  const next = tokens[position + 1]?.word;
  if (next !== undefined && !DIVIDES.test(next) && !CONTINUES.has(next)) return false;
  const before = listBefore(tokens, position, SUBJECT_REACH);
  const subject = before.findIndex(({ word }) => pronouns.has(word));
  return subject >= 0 && before.slice(0, subject).every(({ word }) => LIGHT.has(word));
}
