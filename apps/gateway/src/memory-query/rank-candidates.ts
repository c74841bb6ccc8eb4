import { calibrateCosine, calibrateLexical, compareCodePoints, fuseRelevance } from '@annals/domain';
import type { SimilarityProfile } from '@annals/llm-core';
import type { MemorySearchResult, SearchCandidate } from '@annals/storage';

/** A candidate with its calibrated relevance and what it is made of, each 0–1. */
export interface RankedCandidate {
  readonly candidate: SearchCandidate;
  readonly score: number;
  readonly scores: { readonly vector: number; readonly lexical: number };
}

export interface RankingOptions {
  readonly profile: SimilarityProfile;
  /** Least relevance (decision 45). */
  readonly threshold: number;
  readonly topK: number;
}

/** k1 + 1: what BM25's ceiling gives for a term is that much of the idf which an ordinary match scores. */
const CEILING_SHARE = 2.2;

/**
 * Candidates in the order of their relevance to the question, above the threshold, the best `topK`. What recency and
 * importance add comes after this.
 */
export function rankCandidates(
  { candidates, bm25Ceiling }: Pick<MemorySearchResult, 'candidates' | 'bm25Ceiling'>,
  { profile, threshold, topK }: RankingOptions,
): RankedCandidate[] {
  return candidates
    .map((candidate): RankedCandidate => {
      const vector = candidate.cosine === null ? 0 : calibrateCosine(candidate.cosine, profile);
      const lexical = calibrateLexical(candidate.bm25, bm25Ceiling / CEILING_SHARE);
      return { candidate, score: fuseRelevance(vector, lexical), scores: { vector, lexical } };
    })
    .filter(({ score }) => score >= threshold)
    .toSorted(compareRank)
    .slice(0, topK);
}

/** Equal relevance: the more important, then the newer, then by id, so that an answer is always the same. */
function compareRank(a: RankedCandidate, b: RankedCandidate): number {
  return (
    b.score - a.score ||
    b.candidate.importance - a.candidate.importance ||
    b.candidate.validFrom - a.candidate.validFrom ||
    compareCodePoints(a.candidate.id, b.candidate.id)
  );
}
