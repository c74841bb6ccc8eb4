import { createSliceMeter, pauseForEventLoop, runInSlices, type Sliced } from '@annals/domain';
import { analyzeTerms } from '@annals/english';
import type { EmbeddingProvider, EmbeddingResult, EmbedOptions, SimilarityProfile } from '../embedding-provider.js';

const DIMENSIONS = 384;

const STEM_WEIGHT = 1;
const BIGRAM_WEIGHT = 0.5;
const TRIGRAM_WEIGHT = 0.25;
const TRIGRAM_LENGTH = 3;

/** Longer texts are truncated: their beginning is representative, and the cost stays bounded. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * Relevance was measured on two-person conversations: a question and a random message have a median cosine of 0.03 (99
 * % are below 0.26), a question and the message that answers it 0.13, the best tenth above 0.32.
 *
 * The bands were calibrated on the labelled pairs of `statement-pairs.fixture.ts`, which were written for this purpose:
 * statements about different matters stay below 0.4; changes of meaning are between 0.27 ("uses an iPhone", "switched
 * to an Android phone") and 0.90 ("prefers tea over coffee", reversed), three of four of them at 0.55 and above;
 * rewordings are above 0.65. Both ranges overlap with that of statements that are compatible with each other (up to
 * 0.67), so a cosine of hashed words alone decides nothing below `auto`, where the stems are nearly identical; from
 * `check` upwards, a model call is worth its price. Changes that share no words with the old statement cannot be
 * detected with this profile.
 *
 * Of the labelled pairs of consolidation (`pairs.fixture.ts` of domain), nine in ten that state one fact are above 0.5 and
 * most are above `check`, among pairs that differ in a word: below it there is nothing to decide about, and above it
 * words decide, so `pairs` reaches from `link` to the top.
 */
const PROFILE: SimilarityProfile = {
  unrelated: 0.05,
  same: 0.4,
  trust: 0.3,
  bands: { auto: 0.98, check: 0.55, fallback: 0.5, link: 0.45 },
  pairs: { from: 0.45, to: 1.01 },
  isLexical: true,
};

/**
 * Embeds texts by their words alone (model `hashed-384-v1`), by signed feature hashing, at unit length. Features are
 * stems without stop words, weighted by the square root of their count (sublinear like a logarithm, but exact on every
 * platform), pairs of consecutive distinct stems, and character trigrams of stems with marked boundaries, which match
 * misspelt words. It finds texts that share words, not texts that share meaning; no download, no network, no cost.
 */
export class HashedEmbedder implements EmbeddingProvider {
  readonly name = 'hashed';
  readonly model = 'hashed-384-v1';
  readonly dimensions = DIMENSIONS;
  readonly profile = PROFILE;

  // Async, so that an abort is a rejection, as with any other provider.
  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<EmbeddingResult> {
    signal.throwIfAborted();
    return {
      vectors: await runInSlices(embedTexts(texts), pauseForEventLoop),
      usage: { inputTokens: 0, costMicroUsd: 0, requests: 0 },
    };
  }

  estimateMaxCost(): number {
    return 0;
  }
}

function* embedTexts(texts: readonly string[]): Sliced<Float32Array[]> {
  const meter = createSliceMeter();
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const read = text.slice(0, MAX_TEXT_LENGTH);
    yield* meter(read.length);
    vectors.push(embedText(read));
  }
  return vectors;
}

function embedText(text: string): Float32Array {
  const sums = new Float64Array(DIMENSIONS);
  let before: string | undefined;
  for (const [stem, count] of analyzeTerms(text).terms) {
    addFeature(sums, hashFeature('stem', stem), STEM_WEIGHT * Math.sqrt(count));
    if (before !== undefined) addFeature(sums, hashFeature('pair', `${before} ${stem}`), BIGRAM_WEIGHT);
    addTrigrams(sums, `<${stem}>`);
    before = stem;
  }
  return toUnitLength(sums);
}

function addTrigrams(sums: Float64Array, marked: string): void {
  for (let start = 0; start + TRIGRAM_LENGTH <= marked.length; start++) {
    addFeature(sums, hashFeature('part', marked, start, start + TRIGRAM_LENGTH), TRIGRAM_WEIGHT);
  }
}

/** The sign is the top bit, the index comes from the other bits, so that both are independent. */
function addFeature(sums: Float64Array, hash: number, weight: number): void {
  const sign = hash >>> 31 === 0 ? 1 : -1;
  const position = (hash & 0x7fffffff) % DIMENSIONS;
  sums[position] = sums[position]! + sign * weight;
}

/** A text without words gets the first axis: a valid vector without meaning. */
function toUnitLength(sums: Float64Array): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  let squares = 0;
  for (const value of sums) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0) vector[0] = 1;
  else sums.forEach((value, index) => (vector[index] = value / length));
  return vector;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * FNV-1a over the UTF-16 units of `kind` and of `text` from `start` up to `end`, finished with MurmurHash3's `fmix32` so
 * that low and high bits are equally good. 32 bits, unsigned, the same on every platform.
 */
export function hashFeature(kind: string, text: string, start = 0, end = text.length): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < kind.length; i++) hash = Math.imul(hash ^ kind.charCodeAt(i), FNV_PRIME);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
