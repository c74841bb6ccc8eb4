import { splitSentences, splitWords, STOP_WORDS } from '@annals/english';
import { ANALYSIS_SLICE_UNITS } from '../lexical/analyze-text.js';
import { toIndexTerm } from '../lexical/to-index-term.js';
import { workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';

/** Who speaks, as far as "I" and "you" tell whom a sentence is about. */
export type TurnSpeaker =
  /** `nobody`: the text of a memory, which calls the user "the user". */
  | { readonly is: 'user' | 'assistant' | 'nobody' }
  /** Somebody else; `name`: the index terms of the name that memories call them by. */
  | { readonly is: 'other'; readonly name: string | null };

export interface TurnToken {
  /** As `splitWords` returns it; a mark that divides a sentence as it is. */
  readonly word: string;
  /** Its index term; null for stop words and marks. */
  readonly term: string | null;
  /** Capitalised within a sentence. */
  readonly isName: boolean;
}

export interface TurnSentence {
  readonly text: string;
  readonly tokens: readonly TurnToken[];
  /** Positions of the tokens with each term, ascending: the first 16. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  readonly isQuestion: boolean;
}

/** A turn as it is compared with statements. */
export interface EchoingTurn {
  readonly speaker: TurnSpeaker;
  readonly sentences: readonly TurnSentence[];
}

const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{M}]+)*|[.,;:!?()—–]/gu;
const MARK = /^[.,;:!?()—–]$/u;
const CONTRACTION = /^(?<head>\p{L}+)['’ʼ](?<tail>m|re|ve|d|ll)$/iu;
const TAILS: Readonly<Record<string, string>> = { m: 'am', re: 'are', ve: 'have', d: 'would', ll: 'will' };
/** Of one word in a sentence; more are in no sentence that says something. */
const MAX_OCCURRENCES = 16;
const ADVERBS = new Set('still also now already just always only mostly both long never ever not'.split(' '));
/** What a question begins with; "…, remember?" is none. */
const ASKS =
  /^(?:and |so |but |or )?(?:do|does|did|is|are|was|were|am|should|shall|can|could|would|will|may|have|has|had|what|where|when|who|whom|whose|why|how|which)\b/iu;

/** Reads a turn of any length; yields after each slice of text. */
export function* readTurn(content: string, speaker: TurnSpeaker): Sliced<EchoingTurn> {
  const sentences: TurnSentence[] = [];
  const addSentences = (slice: string) => {
    for (const sentence of splitSentences(slice)) sentences.push(readSentence(sentence));
  };
  yield* workInSlices(content, addSentences, ANALYSIS_SLICE_UNITS);
  return { speaker, sentences };
}

function readSentence(sentence: string): TurnSentence {
  const tokens: TurnToken[] = [];
  for (const [raw] of sentence.matchAll(TOKEN)) {
    const contraction = CONTRACTION.exec(raw)?.groups;
    const parts = contraction ? [contraction['head']!, TAILS[contraction['tail']!.toLowerCase()]!] : [raw];
    for (const part of parts) {
      const isName = tokens.length > 0 && /^\p{Lu}/u.test(part) && part !== 'I';
      for (const word of MARK.test(part) ? [part] : splitWords(part)) {
        const term = MARK.test(word) || word === '' || STOP_WORDS.has(word) ? null : toIndexTerm(word);
        tokens.push({ word, term, isName });
      }
    }
  }
  return {
    text: sentence,
    tokens,
    positions: mapPositions(tokens),
    isQuestion: sentence.includes('?') && ASKS.test(sentence.trim()),
  };
}

function mapPositions(tokens: readonly TurnToken[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, { term }] of tokens.entries()) {
    if (term === null) continue;
    const before = positions.get(term);
    if (before === undefined) positions.set(term, [at]);
    else if (before.length < MAX_OCCURRENCES) before.push(at);
  }
  return positions;
}

/** Whether a word may stand between a subject and its verb without changing what is said. */
export function isAdverb(word: string): boolean {
  return ADVERBS.has(word) || (word.length > 4 && word.endsWith('ly'));
}
