import { ANALYSIS_SLICE_UNITS, listTerms } from '../lexical/analyze-text.js';
import { createSliceMeter, workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import type { JoinedCandidate } from './types.js';

/** Cosines between two answers: up to `sameTopic` they repeat nothing, from `same` on one says what the other says. */
export interface RedundancyScale {
  readonly sameTopic: number;
  readonly same: number;
}

/** An answer as far as others can repeat it. */
export type ComparedAnswer = Pick<JoinedCandidate, 'candidate' | 'turn'>;

/** How much of an answer those before it say, 0–1. `before` only ever gets longer. */
type MeasureRedundancy = (answer: ComparedAnswer, before: readonly ComparedAnswer[]) => Sliced<number>;

/** Of the share of words: all answers to a query have some of its words. */
const WORDS: RedundancyScale = { sameTopic: 0.6, same: 1 };

/** Components of a vector that are multiplied in the time in which one character is analysed. */
const COMPONENTS_PER_UNIT = 64;

/** What is known of an answer after it was compared with the first `compared` others. */
interface Comparison {
  compared: number;
  /** The highest cosine, on its scale. */
  similarity: number;
  /** Its words that none of the others has; null while vectors were enough. */
  newWords: Set<string> | null;
}

/**
 * Compares answers by the cosine of their vectors where both have one and `vectors` gives their scale, else by the share
 * of an answer's words that the others have (docs/reference/recall.md#diversity-by-mmr): of a fact with its turn, the
 * words of the turn. The words of each answer are analysed once.
 */
export function createRedundancy(vectors: RedundancyScale | null): MeasureRedundancy {
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  const readTerms = createTermReader(meter);
  const comparisons = new Map<ComparedAnswer['candidate'], Comparison>();
  return function* measureRedundancy(answer, before) {
    const comparison = comparisons.get(answer.candidate) ?? { compared: 0, similarity: 0, newWords: null };
    comparisons.set(answer.candidate, comparison);
    for (const other of before.slice(comparison.compared)) {
      const [one, two] = [answer.candidate.vector, other.candidate.vector];
      if (vectors && one && two) {
        yield* meter(Math.ceil(one.length / COMPONENTS_PER_UNIT));
        comparison.similarity = Math.max(comparison.similarity, toRedundancy(multiply(one, two), vectors));
      } else {
        const newWords = (comparison.newWords ??= new Set(yield* readTerms(answer)));
        const known = yield* readTerms(other);
        yield* meter(newWords.size);
        for (const term of newWords) if (known.has(term)) newWords.delete(term);
      }
    }
    comparison.compared = before.length;
    if (comparison.newWords === null) return comparison.similarity;
    const { size } = yield* readTerms(answer);
    const said = size === 0 ? 0 : 1 - comparison.newWords.size / size;
    return Math.max(comparison.similarity, toRedundancy(said, WORDS));
  };
}

function createTermReader(meter: (units: number) => Sliced<void>) {
  const terms = new Map<ComparedAnswer['candidate'], ReadonlySet<string>>();
  return function* readTerms({ candidate, turn }: ComparedAnswer): Sliced<ReadonlySet<string>> {
    const known = terms.get(candidate);
    if (known) return known;
    const found = new Set<string>();
    const addTerms = (slice: string) => listTerms(slice).forEach((term) => found.add(term));
    // The fact says the same as its turn, with names that other facts have as well.
    const { content } = turn ?? candidate;
    yield* meter(content.length);
    yield* workInSlices(content, addTerms, ANALYSIS_SLICE_UNITS);
    terms.set(candidate, found);
    return found;
  };
}

function toRedundancy(similarity: number, { sameTopic, same }: RedundancyScale): number {
  return Math.min(1, Math.max(0, similarity - sameTopic) / (same - sameTopic));
}

/** The inner product, which is the cosine of vectors at unit length. */
function multiply(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let index = 0; index < a.length; index += 1) product += a[index]! * b[index]!;
  return product;
}
