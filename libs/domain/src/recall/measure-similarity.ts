import { ANALYSIS_SLICE_UNITS, listTerms } from '../lexical/analyze-text.js';
import { createSliceMeter, workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import type { RecallCandidate } from './types.js';

/** Cosines between two answers: up to `sameTopic` they repeat nothing, from `same` on one says what the other says. */
export interface RedundancyScale {
  readonly sameTopic: number;
  readonly same: number;
}

/** How much two answers repeat each other, 0–1. */
export type Similarity = (a: RecallCandidate, b: RecallCandidate) => Sliced<number>;

/** All answers to a query share some of its words. */
const WORDS: RedundancyScale = { sameTopic: 0.5, same: 1 };

/** Components of a vector that are multiplied in the time in which one character is analysed. */
const COMPONENTS_PER_UNIT = 64;

/**
 * Compares two candidates by the cosine of their vectors where both have one and `vectors` gives their scale, else by the
 * cosine of their words (docs/reference/recall.md#diversity-by-mmr). The words of each are analysed once.
 */
export function createSimilarity(vectors: RedundancyScale | null): Similarity {
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  const readTerms = createTermReader(meter);
  return function* measureSimilarity(a, b) {
    if (vectors && a.vector && b.vector) {
      yield* meter(Math.ceil(a.vector.length / COMPONENTS_PER_UNIT));
      return toRedundancy(multiply(a.vector, b.vector), vectors);
    }
    const [one, other] = [yield* readTerms(a), yield* readTerms(b)];
    yield* meter(Math.min(one.size, other.size));
    return toRedundancy(compareTerms(one, other), WORDS);
  };
}

function createTermReader(meter: (units: number) => Sliced<void>) {
  const terms = new Map<RecallCandidate, ReadonlySet<string>>();
  return function* readTerms(candidate: RecallCandidate): Sliced<ReadonlySet<string>> {
    const known = terms.get(candidate);
    if (known) return known;
    const found = new Set<string>();
    const addTerms = (slice: string) => listTerms(slice).forEach((term) => found.add(term));
    yield* meter(candidate.content.length);
    yield* workInSlices(candidate.content, addTerms, ANALYSIS_SLICE_UNITS);
    terms.set(candidate, found);
    return found;
  };
}

function toRedundancy(cosine: number, { sameTopic, same }: RedundancyScale): number {
  return Math.min(1, Math.max(0, cosine - sameTopic) / (same - sameTopic));
}

/** The inner product, which is the cosine of vectors at unit length. */
function multiply(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let index = 0; index < a.length; index += 1) product += a[index]! * b[index]!;
  return product;
}

function compareTerms(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const term of fewer) if (more.has(term)) shared += 1;
  return shared / Math.sqrt(a.size * b.size);
}
