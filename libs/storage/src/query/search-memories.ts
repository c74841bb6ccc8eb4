import type { MemorySource, MemoryType } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import { loadSources } from '../memories/read-memories.js';
import { findCandidates } from './find-candidates.js';
import type { RecallSearch } from './recall-search.js';

/** What to look for, inside one user's memories. */
export interface MemorySearch extends Omit<RecallSearch, 'question' | 'types'> {
  /** Index terms of the question. */
  readonly terms: readonly string[];
  readonly types: readonly MemoryType[] | null;
}

/** A memory that may answer, with what speaks for it. */
export interface SearchCandidate {
  readonly id: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  /** Epoch ms. */
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly recordedAt: number;
  readonly cosine: number | null;
  readonly bm25: number;
}

export interface MemorySearchResult {
  readonly candidates: readonly SearchCandidate[];
  readonly bm25Ceiling: number;
  readonly revision: number;
}

/** Candidates for an answer out of memories alone. */
export async function searchMemories(tx: Tx, search: MemorySearch): Promise<MemorySearchResult> {
  const { candidates, revision } = await findCandidates(tx, {
    ...search,
    question: search.terms.map((term) => ({ term, weight: 1 })),
    types: search.types ?? ['semantic', 'episodic', 'procedural', 'insight'],
  });
  return {
    candidates: candidates.map(({ lexical, ...candidate }) => ({
      ...candidate,
      type: candidate.type as MemoryType,
      bm25: lexical,
    })),
    bm25Ceiling: candidates[0]?.lexicalCeiling ?? 0,
    revision,
  };
}

/** Where the memories that are answered with were said. */
export function loadAnswerSources(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, MemorySource[]>> {
  return loadSources(tx, memoryIds);
}
