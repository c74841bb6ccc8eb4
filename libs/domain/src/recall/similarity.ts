import { listTerms } from '../lexical/analyze-text.js';
import type { RecallCandidate } from './types.js';

/**
 * The cosine of two texts' words up to which they are simply about the same matter: all that answers a question shares
 * its words. What repeats another lies above it.
 */
const SAME_MATTER = 0.5;

/** How alike two candidates are, 0–1. */
export type Similarity = (a: RecallCandidate, b: RecallCandidate) => number;

/** By their vectors when both have one, else by their words; each text is read once. */
export function createSimilarity(): Similarity {
  const terms = new Map<RecallCandidate, ReadonlySet<string>>();
  const termsOf = (candidate: RecallCandidate) => {
    const known = terms.get(candidate) ?? new Set(listTerms(candidate.content));
    terms.set(candidate, known);
    return known;
  };
  return (a, b) =>
    a.vector !== null && b.vector !== null && a.vector.length === b.vector.length
      ? Math.max(0, Math.min(1, multiply(a.vector, b.vector)))
      : Math.max(0, compareTerms(termsOf(a), termsOf(b)) - SAME_MATTER) / (1 - SAME_MATTER);
}

/** The cosine of two unit vectors. */
function multiply(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

/** The cosine of two sets. */
function compareTerms(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  return shared / Math.sqrt(a.size * b.size);
}
