import { listTerms } from '../lexical/analyze-text.js';
import type { RecallCandidate } from './types.js';

/**
 * The cosine of two texts' words up to which they only share a topic: all answers to a query share its words.
 * Repetitions are above it.
 */
const SAME_TOPIC_COSINE = 0.5;

/** The similarity of two candidates, 0–1. */
export type Similarity = (a: RecallCandidate, b: RecallCandidate) => number;

/** Compares words, so that no vectors have to be read; each text is analysed once. */
export function createSimilarity(): Similarity {
  const terms = new Map<RecallCandidate, ReadonlySet<string>>();
  const termsOf = (candidate: RecallCandidate) => {
    const known = terms.get(candidate) ?? new Set(listTerms(candidate.content));
    terms.set(candidate, known);
    return known;
  };
  return (a, b) => Math.max(0, compareTerms(termsOf(a), termsOf(b)) - SAME_TOPIC_COSINE) / (1 - SAME_TOPIC_COSINE);
}

/** The cosine of two sets. */
function compareTerms(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  return shared / Math.sqrt(a.size * b.size);
}
