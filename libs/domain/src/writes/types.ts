import type { ChangeEvent, HistoryEvent, MemoryState, MemoryType, RelationType } from '@annals/contracts';
import type { UnitTerms } from '../lexical/types.js';
import type { MergedContext } from '../merge/merge-fields.js';
import type { JsonValue } from '../text/canonical-json.js';

/** From `since` (epoch ms) on, until the next entry, the memory's recorded end was `validTo`; null: no end. */
export interface FormerEnd {
  readonly since: number;
  readonly validTo: number | null;
}

/** Content never changes in place (docs/reference/writes.md#content-never-changes-in-place). Times are epoch ms. */
interface StatementFields extends MergedContext {
  readonly content: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly origin: 'extraction' | 'manual';
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly costMicroUsd: number;
  /** Why it is quarantined, or null when it is grounded (docs/reference/extraction.md#quarantine). */
  readonly quarantineReason: string | null;
  /** Since when it holds: when it was said, unless it states another time. */
  readonly validFrom: number;
  readonly validTo: number | null;
}

export interface StoredMemory extends StatementFields {
  readonly id: string;
  readonly hash: string;
  readonly state: MemoryState;
  readonly revision: number;
  /** Length in index terms. */
  readonly termCount: number;
  readonly supersededBy: string | null;
  readonly recordedAt: number;
  /** When its end was recorded (transaction time). */
  readonly closedAt: number | null;
  /** Previously recorded ends, oldest first; empty for nearly every row. */
  readonly formerEnds: readonly FormerEnd[];
  /** Key of a single-valued attribute ("where the user lives"), see `extractSlot`; null for most. */
  readonly slot: string | null;
  readonly deletedAt: number | null;
  /**
   * `undo`: the row that replaced it again is based on the same messages, so its turns can still be recalled. `ground`: an
   * insight that lost everything it rests on.
   */
  readonly deletedBy: DeletionCause | 'undo' | null;
  readonly purgeAt: number | null;
}

export interface NewSource {
  readonly messageId: string;
  readonly quote: string;
}

export interface NewMemory extends StatementFields {
  /** Time of its newest source. */
  readonly saidAt: number;
  /** Cited messages; all exist in the database. */
  readonly sources: readonly NewSource[];
  /** The thread of a memory that was added through the API, which has no messages. */
  readonly threadId?: string;
}

/** A memory that was known elsewhere, with the id and the times that it had there (docs/reference/moving.md). */
export interface ImportedStatement extends NewMemory {
  readonly id: string;
  readonly recordedAt: number;
  /** When its end was recorded; null without an end. */
  readonly closedAt: number | null;
  readonly formerEnds: readonly FormerEnd[];
  /** What replaced it, if anything did: without effect until that is stored. */
  readonly supersededBy: string | null;
}

export interface MemoryPatch {
  readonly category?: string;
  readonly importance?: number;
  readonly pinned?: boolean;
}

/** A memory that a statement was compared with, at the revision of the comparison. */
export interface MemoryRevisionRef {
  readonly memoryId: string;
  readonly revision: number;
}

/** How a statement relates to stored memories, beyond its hash and its slot. */
export interface StatementMatches {
  /** The memory with the same meaning: the statement becomes evidence of it. */
  readonly sameAs?: MemoryRevisionRef;
  /** Memories that contradict the statement: of each pair the later one ends the earlier one. */
  readonly replaces?: readonly MemoryRevisionRef[];
}

/** A change of one memory; rejected with `revision_conflict` when the memory is no longer at this revision. */
interface TargetedChange {
  readonly memoryId: string;
  readonly expectedRevision?: number;
}

/** `ttl`: expiry. `eviction`: a long conversation lost it. `ground`: an insight lost everything it rests on. */
export type DeletionCause = 'user' | 'ttl' | 'eviction' | 'ground';

export type MemoryChange =
  | { readonly kind: 'observe'; readonly memory: NewMemory; readonly matches?: StatementMatches }
  /** Stores a memory as it was elsewhere, once; again, it adds what the memory refers to and lacked before. */
  | { readonly kind: 'import'; readonly memory: ImportedStatement }
  | (TargetedChange & {
      readonly kind: 'edit';
      readonly patch: MemoryPatch;
      /** Given by a run that adjusts importance (docs/reference/consolidation.md#re-ranking). */
      readonly reason?: 'rerank';
    })
  | (TargetedChange & { readonly kind: 'supersede'; readonly memory: NewMemory })
  | (TargetedChange & { readonly kind: 'delete'; readonly by: DeletionCause })
  /** `by` `ground`: what an insight rests on was restored; nothing else restores one that lost it. */
  | (TargetedChange & { readonly kind: 'restore'; readonly by?: 'ground' })
  /** Compares a stored memory, whose vector came after it, with the memories near it. */
  | (TargetedChange & {
      readonly kind: 'compare';
      readonly statement: Pick<StoredMemory, 'content' | 'type'>;
      /** Memories with the same meaning, the nearest first. */
      readonly same?: readonly MemoryRevisionRef[];
    })
  /** One memory takes the place of this one and another one, which state one fact. */
  | (TargetedChange & {
      readonly kind: 'merge';
      readonly other: MemoryRevisionRef;
      readonly content: string;
      readonly importance: number;
      readonly validFrom: number;
      /** Whose text it is; null: words of the two decided. */
      readonly model: { readonly provider: string; readonly model: string } | null;
    })
  /** Deletes a merged memory; what was merged into it holds again. */
  | (TargetedChange & { readonly kind: 'split' })
  /** Purges a deleted memory that can no longer be restored. */
  | (TargetedChange & { readonly kind: 'purge' })
  /** Undoes the memory's last change of any kind, including an undo. */
  | (TargetedChange & { readonly kind: 'undo' })
  /** Releases a quarantined memory, or deletes it so that it is not quarantined again. */
  | (TargetedChange & { readonly kind: 'release' | 'reject' });

type ChangeOutcome =
  | 'inserted'
  | 'updated'
  | 'unchanged'
  | 'suppressed'
  | 'quarantined'
  | 'superseded'
  /** Inserted as ended: a later statement about the same attribute was known already. */
  | 'inserted_ended'
  | 'merged'
  | 'deleted'
  | 'restored'
  | 'purged'
  | 'undone'
  | 'released'
  | 'not_found'
  | 'not_current'
  | 'not_deleted'
  /** An insight cannot be restored without what it rests on. */
  | 'without_ground'
  /** It is not deleted, or can still be restored. */
  | 'not_due'
  | 'not_quarantined'
  /** The memory's last change can no longer be undone. */
  | 'not_undoable'
  | 'revision_conflict';

/** The result of one change; `memoryId` is the memory that contains the statement now. */
export interface ChangeResult {
  readonly outcome: ChangeOutcome;
  readonly memoryId: string;
}

/** A relation between statements of changes, by their indexes, or stored memories. */
export type PlannedLink = {
  readonly relationType: RelationType;
  readonly strength: number;
} & ({ readonly from: number } | { readonly fromMemoryId: string }) &
  ({ readonly to: number } | { readonly toMemoryId: string });

/** The end of a relation between two stored memories, in the direction in which it is stored. */
export interface PlannedUnlink {
  readonly fromMemoryId: string;
  readonly toMemoryId: string;
}

export interface HistoryDraft {
  /** Null for events of the user instead of a memory: CONSENT, ERASE. */
  readonly memoryId: string | null;
  readonly event: HistoryEvent;
  readonly oldRef: string | null;
  readonly newRef: string | null;
  readonly content: string;
  readonly meta: { readonly [key: string]: JsonValue };
  /** The memory as this write leaves it: on the last row of each memory that the write changed. */
  readonly memory?: StoredMemory;
}

/** A change_log row before its thread and revision are known. */
export interface ChangeDraft {
  readonly memoryId: string;
  readonly event: ChangeEvent;
  readonly category: string;
  readonly threadId: string | null;
  /** `new_threads`: only threads in which the memory had no source before this transaction. */
  readonly reach: 'all' | 'new_threads';
  readonly meta: { readonly [key: string]: JsonValue };
}

/** The last write of a memory by its history, relations excluded. */
export interface LastWrite {
  readonly event: HistoryEvent;
  readonly newRef: string | null;
  readonly meta: { readonly [key: string]: JsonValue };
}

/** Everything that one write transaction writes, planned before its first write. */
export interface WritePlan {
  readonly inserts: readonly StoredMemory[];
  readonly updates: readonly StoredMemory[];
  readonly purges: readonly string[];
  readonly sources: readonly (NewSource & { readonly memoryId: string })[];
  /** Sources of `fromId` that are copied to `toId`, after a merge. */
  readonly sourceCopies: readonly { readonly fromId: string; readonly toId: string }[];
  readonly links: readonly {
    readonly fromId: string;
    readonly toId: string;
    readonly relationType: RelationType;
    readonly strength: number;
  }[];
  readonly history: readonly HistoryDraft[];
  readonly changes: readonly ChangeDraft[];
  readonly results: readonly ChangeResult[];
  /** Index terms of the memories that are served from now on, by memory id; some may be in the index already. */
  readonly terms: ReadonlyMap<string, UnitTerms>;
  /** Memories that an undo deleted for others (`deletedBy` `undo`): they leave the index, so that their words weigh nothing. */
  readonly unindexed: readonly string[];
  /** Rows that are copies of another row for another period: they share its vectors. */
  readonly copies: readonly { readonly fromId: string; readonly toId: string }[];
  /** Rows that are served from now on and have no vectors yet: new and formerly quarantined ones. */
  readonly toEmbed: readonly StoredMemory[];
  readonly statistics: { readonly memories: number; readonly terms: number };
}

/** What planning needs besides the rows: the transaction's time and new ids. */
export interface PlanContext {
  /** Epoch ms. */
  readonly now: number;
  /** How long a memory that is deleted now can be restored, in ms; default PURGE_AFTER_MS. */
  readonly purgeAfterMs?: number;
  readonly nextId: () => string;
  /** Times of the sources of stored rows, oldest first; rows without an entry count as said when they begin. */
  readonly saidTimes?: ReadonlyMap<string, readonly number[]>;
  /** Of stored memories that get relations: the ids of those that they have one with, in either direction. */
  readonly linkedIds?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Stored memories that were merged into their successor: needed for memories to be deleted, restored or purged. */
  readonly mergedIds?: ReadonlySet<string>;
  /** Needed for memories to be undone, and for all that were written together with them. */
  readonly lastWrites?: ReadonlyMap<string, LastWrite>;
}
