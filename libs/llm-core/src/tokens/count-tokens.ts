import { MAX_SLICE_UNITS } from '@annals/domain';
import { LRUCache } from 'lru-cache';
import { cutLongRuns } from './cut-long-runs.js';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

// Bullets and headers repeat from query to query; longer texts rarely do and would only displace them in the cache.
const MAX_CACHED_LENGTH = 400;
const CACHED_TEXTS = 5_000;
/** The encoder's own cache of words: once its 100,000 are used up, each look-up takes up to fifty times as long. */
const CACHED_WORDS = 256;

let loading: Promise<TokenCounter> | undefined;
let loaded: TokenCounter | undefined;

/**
 * Loads the o200k token counter (docs/reference/recall.md#token-budget-of-an-answer): exact for OpenAI models up to
 * GPT-5, an estimate for all others. The table is loaded on the first call, so that processes that never count do not
 * load it; call this at startup where the first count must not be delayed.
 *
 * The encoder's time is quadratic in the length of a word, so a run of more than 64 characters without a blank, or of
 * blanks, is counted in pieces: linear time, and for such a run a count that is up to one token a piece too high, hardly
 * ever too low (measured on hostile texts: exact to 4 % above, except for runs of blanks). Other texts are counted exactly.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  return (loading ??= importTokenCounter());
}

/** For single counts; in loops, use `loadTokenCounter` and count synchronously. */
export async function countTokens(text: string): Promise<number> {
  return (await loadTokenCounter())(text);
}

async function importTokenCounter(): Promise<TokenCounter> {
  const { countTokens: count, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(CACHED_WORDS);
  // Text that contains a control token, such as <|endoftext|>, is counted as plain text.
  const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  const countPieces = (text: string) => cutLongRuns(text).reduce((sum, piece) => sum + count(piece, asPlainText), 0);
  const cache = new LRUCache<string, number>({ max: CACHED_TEXTS });
  loaded = (text) => {
    if (text.length > MAX_CACHED_LENGTH) return countPieces(text);
    const tokens = cache.get(text) ?? countPieces(text);
    cache.set(text, tokens);
    return tokens;
  };
  return loaded;
}

const CHARACTERS_PER_TOKEN = 4;
/** English has 4 or more bytes per token, the densest other scripts about 3. */
const BYTES_PER_TOKEN = 3;

/** Of a text that is longer than a slice, this many parts are counted. */
const SAMPLES = 8;
const SAMPLE_LENGTH = MAX_SLICE_UNITS / SAMPLES;

/**
 * For planning, synchronously: the o200k count if its table is loaded, else `estimateTokensByLength`: processes that
 * only decide about stored memories never load it. A text of more than `MAX_SLICE_UNITS` is estimated by parts from all
 * over it, so that no estimate holds the event loop.
 */
export function estimateTokens(text: string): number {
  if (!loaded) return estimateTokensByLength(text);
  return text.length <= MAX_SLICE_UNITS ? loaded(text) : estimateBySamples(text, loaded);
}

function estimateBySamples(text: string, count: TokenCounter): number {
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = Math.floor((sample * (text.length - SAMPLE_LENGTH)) / (SAMPLES - 1));
    tokens += count(text.slice(start, start + SAMPLE_LENGTH).toWellFormed());
  }
  return Math.ceil((tokens * text.length) / MAX_SLICE_UNITS);
}

/** A quarter of the characters, rounded up (docs/reference/model-calls.md#token-counts-and-estimates). */
export function estimateTokensByLength(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Token estimate by length alone, rather too high. Zero only for empty text. */
export function overestimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

const NOTABLE_VARIANCE_PERCENT = 5;

export interface EstimateVariance {
  /** Deviation from the actual usage in percent of it; positive if the estimate was too high. */
  readonly variancePercent: number;
  /** More than 5 % off, which is logged (docs/reference/model-calls.md#token-counts-and-estimates). */
  readonly notable: boolean;
}

/** Compares a token estimate with the provider's count; undefined if there is no count. */
export function compareTokenEstimate(estimated: number, actual: number): EstimateVariance | undefined {
  if (!(actual > 0)) return undefined;
  const variancePercent = ((estimated - actual) / actual) * 100;
  return { variancePercent, notable: Math.abs(variancePercent) > NOTABLE_VARIANCE_PERCENT };
}
