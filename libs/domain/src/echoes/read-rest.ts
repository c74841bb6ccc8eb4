import { isQuotedFrom } from '../grounding/ground-memory.js';
import { createSliceMeter } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { findEchoes } from './find-echo.js';
import { type EchoedStatement, readStatement } from './read-statement.js';
import type { EchoingTurn } from './read-turn.js';

/** What was replaced of what a turn says. */
export interface ReplacedStatement {
  readonly content: string;
  /** The words of the turn that it is based on; absent when it is not based on the turn. */
  readonly quote?: string;
}

/** What a turn says beside what was replaced of it. */
export interface TurnRest {
  /** How many of the turn's terms repeat what was replaced, 0–1. */
  readonly share: number;
  /** The sentences that say nothing of it, and those that say something that holds as well. */
  readonly rest: string;
  /** Whether `rest` may still say some of it: in a sentence that could not be told, or that says both. */
  readonly isMixed: boolean;
}

/**
 * The sentences of what was replaced are those that repeat it, or else the one that it quotes. Those that what holds
 * quotes are kept (docs/reference/recall.md#turns-that-are-over).
 */
export function* readRest(
  turn: EchoingTurn,
  replaced: readonly ReplacedStatement[],
  holdingQuotes: readonly string[],
): Sliced<TurnRest> {
  const { sentences } = turn;
  const statements = replaced.map(({ content }) => readStatement(content));
  const readable: EchoedStatement[] = statements.filter((statement) => statement !== null);
  const echoes = yield* findEchoes(turn, readable);
  const repeating = sentences.map((_, index) => new Set(echoes.flatMap(({ words }) => words.get(index) ?? [])));
  const over = new Set([...repeating.keys()].filter((index) => repeating[index]!.size > 0));
  const texts = sentences.map(({ text }): [string] => [text]);
  let isMixed = false;
  for (const [index, { quote }] of replaced.entries()) {
    if (echoes.some(({ statement }) => statement === statements[index])) continue;
    const quoted = quote === undefined ? [] : yield* listContaining(texts, quote);
    isMixed ||= quoted.length === 0;
    for (const sentence of quoted) over.add(sentence);
  }
  for (const quote of over.size === 0 ? [] : holdingQuotes) {
    const containing = yield* listContaining(texts, quote);
    const quoted = containing.length > 0 ? containing : yield* listWithin(texts, quote);
    for (const sentence of quoted) isMixed = over.delete(sentence) || isMixed;
  }
  const total = sentences.reduce((sum, { tokens }) => sum + tokens.filter(({ term }) => term !== null).length, 0);
  const repeated = repeating.reduce((sum, { size }) => sum + size, 0);
  const rest = sentences.filter((_, index) => !over.has(index));
  return {
    share: total === 0 ? 0 : repeated / total,
    rest: rest.map(({ text }) => text.trim()).join(' '),
    isMixed,
  };
}

/** One text each: `isQuotedFrom` normalises an array of texts once. */
type SentenceTexts = readonly (readonly [string])[];

const listContaining = (texts: SentenceTexts, quote: string) => listWhere(texts, (text) => isQuotedFrom(quote, text));

function listWithin(texts: SentenceTexts, quote: string): Sliced<number[]> {
  const whole = [quote];
  return listWhere(texts, ([text]) => isQuotedFrom(text, whole));
}

function* listWhere(texts: SentenceTexts, isListed: (text: readonly [string]) => boolean): Sliced<number[]> {
  const meter = createSliceMeter();
  const listed: number[] = [];
  for (const [index, text] of texts.entries()) {
    yield* meter(text[0].length);
    if (isListed(text)) listed.push(index);
  }
  return listed;
}
