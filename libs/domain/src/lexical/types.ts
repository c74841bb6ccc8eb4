/** A memory, or a *turn*: a message as a recallable unit (docs/reference/recall.md#turns-are-recallable). */
export type RecallKind = 'memory' | 'turn';

/**
 * Raised when the analysis of text or the slots change: an index of an earlier version is rebuilt, and its echoes noted. The
 * next one is at least 2 above the former `ECHOES_VERSION`, see `REINDEXING_VERSION`.
 */
export const ANALYZER_VERSION = 3;

/**
 * Of an index that is being rebuilt in steps (docs/decisions/0074-rebuild-the-lexical-index-of-a-large-user-in-steps.md).
 * Above what processes of earlier releases lower the version to when they add units, so that a unit of theirs is noticed.
 */
export const REINDEXING_VERSION = ANALYZER_VERSION - 1;

/**
 * Raised when the rule of echoes changes, and always above the analyser's version, since echoes are found by the index: a
 * user between the two has an index, and echoes that are still to be noted. Clear `users.echoes_after` with the migration of
 * a release that raises it: a position under the former rule says nothing.
 */
export const ECHOES_VERSION = 4;

/** The weight of one occurrence of a term in a unit's own text. */
export const OWN_WEIGHT = 16;

/** A term of a query; more specific terms weigh more. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** Matches nothing by itself: raises the score of units that other terms matched by the share `weight`. */
  readonly isBoost?: boolean;
  /** Of a boost: the only kind of unit that it counts for. Default: both. */
  readonly kind?: RecallKind;
}

/** The index terms of a text. Weights of the same unit and term are summed, whenever they were written. */
export interface UnitTerms {
  /** Integer weights ≥ 1; 16 is one occurrence in the unit's own text. */
  readonly terms: ReadonlyMap<string, number>;
  /** What the unit adds to the collection's total length, in terms; 0 in a contribution to an earlier turn. */
  readonly length: number;
  /** The unit's own length, in a contribution too: the `length` of each of its index entries. */
  readonly unitLength: number;
}

export interface IndexedTurn {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  /** The speaker's name, if known. */
  readonly speaker: string | null;
  /** True when somebody else than the user says it in the role `user`. Default: false. */
  readonly isOther?: boolean;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
  /** False: an earlier turn, already indexed, of the same conversation. */
  readonly isNew: boolean;
}

export interface PostingEntry {
  /** The unit's number; negative ones are free for units that are not stored. */
  readonly unit: number;
  readonly weight: number;
  readonly length: number;
}

/** The postings of one term for one kind of unit: concatenated segments. */
export interface PostingList {
  readonly term: string;
  readonly kind: RecallKind;
  readonly entries: Uint8Array;
}

export interface CollectionStatistics {
  readonly units: number;
  /** Sum of the lengths of all units, in terms. */
  readonly totalLength: number;
}

export interface UnitSearch {
  readonly lists: readonly PostingList[];
  readonly query: readonly QueryTerm[];
  readonly statistics: Readonly<Record<RecallKind, CollectionStatistics>>;
  /** Maximum number of units of each kind that are returned. */
  readonly limit: number;
}

interface ScoredUnit {
  readonly kind: RecallKind;
  readonly unit: number;
  readonly score: number;
}

export interface UnitScores {
  /** Best first. */
  readonly units: ScoredUnit[];
  /** The maximum score of a unit that has every term of the query; 0 for a query without terms. */
  readonly ceiling: number;
  /** The score of any unit, including those beyond the limit; 0 without a shared term. */
  scoreOf(unit: number): number;
}
