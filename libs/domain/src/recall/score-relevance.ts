import { calibrateCosine, calibrateLexical, fuseRelevance } from '../query/relevance.js';
import type { CosineProfile, RecallCandidate, ScoredCandidate } from './types.js';
import type { RecallWeights } from './weights.js';

export interface RelevanceOptions {
  /** The question as it was asked. */
  readonly question: string;
  readonly profile: CosineProfile;
  readonly weights: RecallWeights;
}

/** The relevance of each candidate, 0–1, out of its vector and its words; in the order they came. */
export function scoreRelevance(
  candidates: readonly RecallCandidate[],
  { profile }: RelevanceOptions,
): ScoredCandidate[] {
  return candidates.map((candidate) => {
    const vector = candidate.cosine === null ? 0 : calibrateCosine(candidate.cosine, profile);
    const lexical = calibrateLexical(candidate.lexical, candidate.lexicalCeiling);
    return { candidate, relevance: fuseRelevance(vector, lexical), vector, lexical, rerank: null };
  });
}
