import { calibrateCosine, calibrateLexical, fuseRelevance } from './calibrate.js';
import type { CosineProfile, RecallCandidate, ScoredCandidate } from './types.js';

export interface RelevanceOptions {
  readonly profile: CosineProfile;
}

/** The relevance of each candidate, 0–1, by its vector and its words; in the order of `candidates`. */
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
