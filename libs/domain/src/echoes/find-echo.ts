import { createSliceMeter } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { type EchoedStatement, isNegation } from './read-statement.js';
import type { EchoingTurn, TurnSentence, TurnSpeaker, TurnToken } from './read-turn.js';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const FIRST_PERSON = wordSet('i me my mine we us our ours');
const SECOND_PERSON = wordSet('you your yours');
/** Who has something now is not meant by the verb before: "you could ask your landlord". */
const POSSESSIVES = wordSet('my our your');
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
  'am is are was be been have has had got a an the still also now already really actually currently just always in at',
);
const CONTINUES = wordSet('so and but since because now too anyway here these nowadays today again as or then');
/** "Don't forget that …" denies nothing. */
const AFTER_IDLE_NEGATION = wordSet('forget only worry problem doubt wonder');
const DIVIDES = /^[.,;:!?()—–]$/u;

/** In tokens: how far whom a statement is about may stand from it. */
const SUBJECT_REACH = 6;
/** In tokens, beside those that match. */
const MAX_GAPS = 8;
const NEGATION_REACH = 4;

/** What comparing one sentence with one statement costs, as much as reading this many UTF-16 units. */
const COMPARISON_UNITS = 16;
/** Of one word in a sentence; more are in no sentence that says something. */
const MAX_OCCURRENCES = 16;

/** A statement's repetition in a turn. */
interface Echo<Statement extends EchoedStatement = EchoedStatement> {
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
    yield* meter(COMPARISON_UNITS * statements.length);
    for (const statement of statements) {
      const positions = matchSentence(sentence, statement, speaker);
      if (positions === null) continue;
      found.set(statement, (found.get(statement) ?? new Map<number, readonly number[]>()).set(index, positions));
    }
  }
  return [...found].map(([statement, words]) => ({ statement, words }));
}

/** What a turn says beside what it repeats. */
export interface EchoRest {
  /** How many of the turn's terms repeat any of the statements, 0–1. */
  readonly share: number;
  /** The sentences that repeat none of them. */
  readonly rest: string;
}

export function measureEchoes({ sentences }: EchoingTurn, echoes: readonly Echo[]): EchoRest {
  const repeating = sentences.map((_, index) => new Set(echoes.flatMap(({ words }) => words.get(index) ?? [])));
  const total = sentences.reduce((sum, { tokens }) => sum + tokens.filter(({ term }) => term !== null).length, 0);
  const repeated = repeating.reduce((sum, { size }) => sum + size, 0);
  const others = sentences.filter((_, index) => repeating[index]!.size === 0);
  return { share: total === 0 ? 0 : repeated / total, rest: others.map(({ text }) => text.trim()).join(' ') };
}

/** Positions of the tokens that repeat the statement. */
function matchSentence(
  sentence: TurnSentence,
  statement: EchoedStatement,
  speaker: TurnSpeaker,
): readonly number[] | null {
  const { terms, subject } = statement;
  if (sentence.isQuestion) return null;
  const has = ({ same }: { readonly same: readonly string[] }) => same.some((term) => sentence.terms.has(term));
  if (terms.some((term) => term.isRequired && !has(term))) return null;
  const present = terms.filter(has);
  if (present.length < statement.floor) return null;
  const isOfSpeaker = speaker.is === 'other' && speaker.name !== null && speaker.name === subject.join(' ');
  const named = isOfSpeaker ? [] : subject.map((term) => ({ same: [term] }));
  if (!named.every(has)) return null;
  const positions = findWindow(sentence.tokens, [...named, ...present]);
  if (positions === null) return null;
  const [start, end] = [Math.min(...positions), Math.max(...positions)];
  if (statement.isOrdered && !isInOrder(positions.slice(named.length))) return null;
  if (isDenied(sentence.tokens, start, end) !== statement.isNegated) return null;
  if (isHypothetical(sentence.tokens, start)) return null;
  const pronouns = isOfSpeaker || speaker.is === 'user' ? FIRST_PERSON : SECOND_PERSON;
  const isAbout =
    named.length > 0 ||
    ((isOfSpeaker || speaker.is !== 'other') &&
      isAboutAddressed(sentence.tokens, new Set(positions), pronouns) &&
      (present.length > 1 || isBare(sentence.tokens, start, pronouns)));
  return isAbout ? positions : null;
}

/** One position for each term, as near to each other as there are; null when that is too far. */
function findWindow(
  tokens: readonly TurnToken[],
  wanted: readonly { readonly same: readonly string[] }[],
): number[] | null {
  const occurrences = wanted.map(({ same }) =>
    tokens
      .flatMap(({ term }, position) => (term !== null && same.includes(term) ? [position] : []))
      .slice(0, MAX_OCCURRENCES),
  );
  let best: number[] | null = null;
  for (const anchor of occurrences[0]!) {
    const near = occurrences.map((positions) =>
      positions.reduce((a, b) => (Math.abs(b - anchor) < Math.abs(a - anchor) ? b : a)),
    );
    if (best === null || reach(near) < reach(best)) best = near;
  }
  return best !== null && reach(best) < wanted.length + MAX_GAPS ? best : null;
}

const reach = (positions: readonly number[]) => Math.max(...positions) - Math.min(...positions);

const isInOrder = (positions: readonly number[]) =>
  positions.every((at, index) => index === 0 || positions[index - 1]! < at);

/** The tokens before a position, nearest first, up to a mark. */
function listBefore(tokens: readonly TurnToken[], position: number, limit: number): TurnToken[] {
  const before = tokens.slice(Math.max(0, position - limit), position).toReversed();
  const mark = before.findIndex(({ word }) => DIVIDES.test(word));
  return mark < 0 ? before : before.slice(0, mark);
}

function isDenied(tokens: readonly TurnToken[], start: number, end: number): boolean {
  const before = listBefore(tokens, start, NEGATION_REACH).toReversed();
  const around = [...before, ...tokens.slice(start, end + 3)];
  return around.some(({ word }, index) => {
    const next = around[index + 1]?.word ?? '';
    if (word === 'used') return next === 'to';
    return isNegation(word) && !AFTER_IDLE_NEGATION.has(next);
  });
}

function isHypothetical(tokens: readonly TurnToken[], start: number): boolean {
  const before = listBefore(tokens, start, start);
  return before[0]?.word === 'to' || before.some(({ word }) => HYPOTHETICAL.has(word));
}

/**
 * Whether the words are about the one that the pronouns mean: nearest before them, between them, or behind what begins
 * with a gerund ("Living in Lisbon must be lovely for you").
 */
function isAboutAddressed(
  tokens: readonly TurnToken[],
  positions: ReadonlySet<number>,
  pronouns: ReadonlySet<string>,
): boolean {
  const [start, end] = [Math.min(...positions), Math.max(...positions)];
  let isModal = false;
  for (let at = start - 1; at >= Math.max(0, start - SUBJECT_REACH); at -= 1) {
    const { word } = tokens[at]!;
    if (DIVIDES.test(word)) break;
    if (pronouns.has(word)) return !isModal || POSSESSIVES.has(word);
    if (isSomebodyElse(tokens[at]!)) return false;
    isModal ||= MODALS.has(word);
  }
  const between = tokens.slice(start, end).filter((_, index) => !positions.has(start + index));
  if (between.some(isSomebodyElse)) return false;
  if (between.some(({ word }) => pronouns.has(word))) return true;
  if (!tokens[start]!.word.endsWith('ing')) return false;
  return tokens.slice(end + 1, end + 1 + SUBJECT_REACH).some(({ word }) => pronouns.has(word));
}

function isSomebodyElse({ word, isName }: TurnToken): boolean {
  return isName || THIRD_PERSON.has(word) || RELATIONS.has(word);
}

/** A single word says something only in a bare form: "you are vegetarian", "your diabetes", not "a vegetarian recipe". */
function isBare(tokens: readonly TurnToken[], position: number, pronouns: ReadonlySet<string>): boolean {
  const next = tokens[position + 1]?.word;
  if (next !== undefined && !DIVIDES.test(next) && !CONTINUES.has(next)) return false;
  const before = listBefore(tokens, position, SUBJECT_REACH);
  const subject = before.findIndex(({ word }) => pronouns.has(word));
  return subject >= 0 && before.slice(0, subject).every(({ word }) => LIGHT.has(word));
}
