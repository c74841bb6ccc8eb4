import type { MemoryType, QueryFilters } from '@annals/contracts';
import type { QueryTerm, RecallCandidate } from '@annals/domain';
import type { InsightView } from '../insights/insight-view.js';

/** A search in one user's memories and turns, and in the global memories beside them. */
export interface RecallSearch {
  readonly userId: string;
  /** Null: lexical search only. */
  readonly queryVector: Float32Array | null;
  /** Embedding model whose vectors are compared. */
  readonly model: string;
  /** Whether memories come with their vectors under the model. Default: without. */
  readonly withVectors?: boolean;
  /** Terms of the query; empty for one that has none. */
  readonly query: readonly QueryTerm[];
  /** `mentions` is the caller's text; what it stands for is in the field `mentions`. */
  readonly filters: QueryFilters;
  /** Placeholders that a memory or turn must contain, all of them; null for no condition. */
  readonly mentions?: readonly string[] | null;
  /** Null: every category. Turns are of `activity`. */
  readonly categories: readonly string[] | null;
  /**
   * Categories excluded from `categories`: those that are returned on request only
   * (docs/reference/categories-and-agents.md#categories-on-request-only).
   */
  readonly exceptCategories?: readonly string[];
  /**
   * Categories that the caller may see at all, whatever `categories` the request narrows them to: no other memory tells
   * what of a turn is over. Null, and by default: every one.
   */
  readonly visibleCategories?: readonly string[] | null;
  /** Who asks, for insights. Default: no agent, and insights are on unless the person has switched them off. */
  readonly insights?: Omit<InsightView, 'categories'>;
  /** Null: every type, and turns. */
  readonly types: readonly (MemoryType | 'turn')[] | null;
  /** RFC 3339: returns what held then; null for what holds now. */
  readonly asOf: string | null;
  /** RFC 3339: returns what was known then. */
  readonly knownAt: string | null;
  /** Leaves out the sentences of turns that are over. Memories are always those that hold at the time of the query. */
  readonly currentOnly?: boolean;
  /** The thread whose revision is returned; it filters nothing. Default: the thread of the filters. */
  readonly threadId?: string | null;
  /** Epoch ms: what ends later still holds. */
  readonly now: number;
  /** Maximum candidates of each sort: memories by vector, memories by words, turns by words. */
  readonly limit: number;
}

/** The source of a memory or turn. */
export interface SourceRef {
  readonly conversationId: string;
  readonly messageId: string;
}

/** Candidates for ranking. */
export interface CandidateSearchResult {
  /** In no order; each id once. */
  readonly candidates: readonly RecallCandidate[];
  /** By candidate id, oldest first; a turn is its own source. */
  readonly sources: ReadonlyMap<string, readonly SourceRef[]>;
  /** Revision of the thread, 0 without one. */
  readonly revision: number;
  /**
   * The user's data are from before there was an index. Results are scored on the fly and bounded: run `reindexPage`, then
   * query again. Global memories without an index are scored so until the job `lexical_index` has been there.
   */
  readonly isUnindexed: boolean;
}
