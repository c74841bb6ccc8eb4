import { pickBest } from './pick-best.js';
import { ENTRY_BYTES, toWords } from './posting-entries.js';
import {
  OWN_WEIGHT,
  type PostingList,
  type QueryTerm,
  type RecallKind,
  type UnitScores,
  type UnitSearch,
} from './types.js';

// BM25F (Robertson and Zaragoza 2009): weights of all fields are summed before saturation. k1 as usual; b is lower than
// the usual 0.75, since most of a turn's length is its context (decision record 0020).
const K1 = 1;
const B = 0.5;

const KINDS: readonly RecallKind[] = ['memory', 'turn'];

/** Arrays with one position per unit number between the smallest and the largest. */
interface Accumulators {
  readonly first: number;
  /** Of the current term: sum of the weights, and the length. */
  readonly weights: Float64Array;
  readonly lengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly scores: Float64Array;
  readonly boosts: Float64Array;
  readonly touched: Int32Array;
}

/**
 * Scores units, best first; equal scores by unit number. The order of the lists and their segments do not matter. The
 * cost is a few nanoseconds an entry: nothing is allocated per entry.
 */
export function scoreUnits({ lists, query, statistics, limit }: UnitSearch): UnitScores {
  const byTerm = Map.groupBy(lists, ({ term }) => term);
  const accumulators = createAccumulators(lists);
  const documents = statistics.memory.units + statistics.turn.units;
  const dampings = KINDS.map((kind) => {
    const { units, totalLength } = statistics[kind];
    return totalLength > 0 ? (K1 * B * units) / totalLength : 0;
  });
  let ceiling = 0;
  for (const queryTerm of query) {
    const ofTerm = byTerm.get(queryTerm.term) ?? [];
    const counting = queryTerm.kind === undefined ? ofTerm : ofTerm.filter(({ kind }) => kind === queryTerm.kind);
    const frequency = accumulateTerm(accumulators, counting);
    if (queryTerm.isBoost === true) {
      addBoost(accumulators, frequency, queryTerm.weight);
      continue;
    }
    const gain = inverseDocumentFrequency(frequency, documents) * queryTerm.weight * (K1 + 1);
    addScores(accumulators, frequency, gain, dampings);
    if (isWord(queryTerm)) ceiling += gain;
  }
  const units = selectBest(accumulators, limit);
  return { units, ceiling, scoreOf: (unit) => accumulators.scores[unit - accumulators.first] ?? 0 };
}

/** Concepts repeat words of the query: a matching unit has one of them, rarely both. */
function isWord({ term }: QueryTerm): boolean {
  return !term.startsWith('~') && !term.startsWith('=');
}

function createAccumulators(lists: readonly PostingList[]): Accumulators {
  let first = Number.MAX_SAFE_INTEGER;
  let last = -1;
  let longest = 0;
  const sizes = new Map<string, number>();
  for (const { term, entries } of lists) {
    const words = toWords(entries);
    const size = (sizes.get(term) ?? 0) + entries.byteLength / ENTRY_BYTES;
    sizes.set(term, size);
    longest = Math.max(longest, size);
    for (let index = 0; index < words.length; index += 2) {
      const unit = words[index]!;
      if (unit < first) first = unit;
      if (unit > last) last = unit;
    }
  }
  if (first > last) first = last + 1;
  const size = last - first + 1;
  return {
    first,
    weights: new Float64Array(size),
    lengths: new Uint16Array(size),
    kinds: new Uint8Array(size),
    scores: new Float64Array(size),
    boosts: new Float64Array(size),
    touched: new Int32Array(longest),
  };
}

/** Sums the weights of each unit for one term; returns the number of units with the term. */
function accumulateTerm(accumulators: Accumulators, lists: readonly PostingList[]): number {
  const { first, weights, lengths, kinds, touched } = accumulators;
  let count = 0;
  for (const { kind, entries } of lists) {
    const words = toWords(entries);
    const kindIndex = KINDS.indexOf(kind);
    for (let index = 0; index < words.length; index += 2) {
      const position = words[index]! - first;
      const packed = words[index + 1]!;
      if (weights[position] === 0) touched[count++] = position;
      weights[position] = weights[position]! + (packed & 0xffff);
      // Of several entries the longest: a later contribution covers more of the context than the turn's first entry.
      lengths[position] = Math.max(lengths[position]!, packed >>> 16);
      kinds[position] = kindIndex;
    }
  }
  return count;
}

function addScores(accumulators: Accumulators, count: number, gain: number, dampings: readonly number[]): void {
  const { weights, lengths, kinds, scores, touched } = accumulators;
  for (let index = 0; index < count; index++) {
    const position = touched[index]!;
    const frequency = weights[position]! / OWN_WEIGHT;
    const damping = K1 * (1 - B) + dampings[kinds[position]!]! * lengths[position]!;
    scores[position] = scores[position]! + (gain * frequency) / (frequency + damping);
    weights[position] = 0;
  }
}

function addBoost({ weights, boosts, touched }: Accumulators, count: number, share: number): void {
  for (let index = 0; index < count; index++) {
    const position = touched[index]!;
    boosts[position] = boosts[position]! + share;
    weights[position] = 0;
  }
}

function selectBest({ first, kinds, scores, boosts }: Accumulators, limit: number): UnitScores['units'] {
  for (let position = 0; position < scores.length; position++)
    scores[position] = scores[position]! * (1 + boosts[position]!);
  return KINDS.flatMap((kind, kindIndex) =>
    pickBest(scores, limit, (position) => kinds[position] === kindIndex).map((position) => ({
      kind,
      unit: position + first,
      score: scores[position]!,
    })),
  ).toSorted((a, b) => b.score - a.score || a.unit - b.unit);
}

/**
 * ln(1 + (N - df + 0.5) / (df + 0.5)), never negative (Lucene's form). Outdated statistics (df > N) count as df = N.
 */
function inverseDocumentFrequency(documentFrequency: number, documentCount: number): number {
  const df = Math.min(documentFrequency, documentCount);
  return Math.log1p((documentCount - df + 0.5) / (df + 0.5));
}
