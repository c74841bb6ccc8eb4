import type { MemoryType, QueryFilters } from '@annals/contracts';
import type { QueryTerm, RecallCandidate } from '@annals/domain';

/** What to look for, inside what one user said and what is remembered of them. */
export interface RecallSearch {
  readonly userId: string;
  /** Null: words only. */
  readonly queryVector: Float32Array | null;
  /** Whose vectors are compared. */
  readonly model: string;
  /** Terms of the query; empty for one that has none. */
  readonly query: readonly QueryTerm[];
  readonly filters: QueryFilters;
  /** Null: every category. Turns are of `activity`. */
  readonly categories: readonly string[] | null;
  /**
   * Categories left out of what `categories` leaves: those that are read on request only
   * (docs/reference/categories-and-agents.md#categories-on-request-only).
   */
  readonly exceptCategories?: readonly string[];
  /** Null: every type, and turns. */
  readonly types: readonly (MemoryType | 'turn')[] | null;
  /** RFC 3339: what held then; null for what holds now. */
  readonly asOf: string | null;
  /** RFC 3339: what was known then. */
  readonly knownAt: string | null;
  /** The thread whose revision is answered; it filters nothing. Unless given, the one that is filtered by. */
  readonly threadId?: string | null;
  /** Epoch ms: what ends later holds still. */
  readonly now: number;
  /** Most candidates of each sort: memories by vector, memories by words, turns by words. */
  readonly limit: number;
}

/** Where something was said. */
export interface SourceRef {
  readonly conversationId: string;
  readonly messageId: string;
}

/** What may answer, for ranking. */
export interface CandidateSearchResult {
  /** In no order; each id once. */
  readonly candidates: readonly RecallCandidate[];
  /** By candidate id, oldest said first; a turn is its own source. */
  readonly sources: ReadonlyMap<string, readonly SourceRef[]>;
  /** Revision of the thread, 0 without one. */
  readonly revision: number;
  /**
   * The user's index is of an older analyser, or of before there was one. What is found is scored on the fly and bounded:
   * `reindexUser`, then ask again.
   */
  readonly isStale: boolean;
}
