import type { ChangeEvent, HistoryEvent, MemoryState, MemoryType, RelationType } from '@annals/contracts';
import type { JsonValue } from '../encoding/index.js';
import type { UnitTerms } from '../lexical/index.js';

/**
 * What may be improved when the same statement is made again; content never changes in place
 * (docs/reference/writes.md#content-never-changes-in-place).
 */
export interface MergeableFields {
  readonly confidence: number;
  readonly emotionalContext: Readonly<Record<string, unknown>> | null;
  readonly significance: Readonly<Record<string, number>> | null;
  readonly relationshipDynamics: Readonly<Record<string, unknown>> | null;
  readonly rationale: string | null;
}

/** From `since` (epoch ms) on, and until the next belief, it was held that the memory ends at `validTo`; null: not at all. */
export interface FormerEnd {
  readonly since: number;
  readonly validTo: number | null;
}

/** A memory as it stands in the database. Times are epoch ms. */
export interface StoredMemory extends MergeableFields {
  readonly id: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly hash: string;
  readonly state: MemoryState;
  readonly origin: 'extraction' | 'manual';
  readonly importance: number;
  readonly pinned: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly costMicroUsd: number;
  readonly quarantineReason: string | null;
  readonly revision: number;
  /** Length in index terms. */
  readonly termCount: number;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly supersededBy: string | null;
  readonly recordedAt: number;
  /** When we learnt that it ended. */
  readonly closedAt: number | null;
  /** What was believed of its end before, oldest first, where that was changed; empty for nearly every row. */
  readonly formerEnds: readonly FormerEnd[];
  /** Names what can have one value at a time ("where the user lives"), see `extractSlot`; null for most. */
  readonly slot: string | null;
  readonly deletedAt: number | null;
  /** `undo`: what took its place back again rests on the same messages, so its turns stay in sight. */
  readonly deletedBy: 'user' | 'ttl' | 'undo' | null;
  readonly purgeAt: number | null;
}

/** Where a memory was said. */
export interface NewSource {
  readonly messageId: string;
  readonly quote: string;
}

/** A statement that is to be remembered. */
export interface NewMemory extends MergeableFields {
  readonly content: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly origin: 'extraction' | 'manual';
  readonly importance: number;
  readonly pinned: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly costMicroUsd: number;
  /** Why it is quarantined, or null when its evidence holds (docs/reference/extraction.md#quarantine). */
  readonly quarantineReason: string | null;
  /** Since when it holds: when it was said, unless it tells. */
  readonly validFrom: number;
  readonly validTo: number | null;
  /** When the newest of its evidence was said. */
  readonly saidAt: number;
  /** Cited messages, all of them in the database. */
  readonly sources: readonly NewSource[];
  /** The thread of a memory by hand, which has no messages. */
  readonly threadId?: string;
}

export interface MemoryPatch {
  readonly category?: string;
  readonly importance?: number;
  readonly pinned?: boolean;
}

/** A memory that the statement of an observation bears on, as it was seen when that was found out. */
export interface MemoryRevisionRef {
  readonly memoryId: string;
  readonly revision: number;
}

/** What is known of how a statement stands to stored memories, beyond its hash and its slot. */
export interface StatementMatches {
  /** The memory that says the same in other words: the statement becomes evidence of it. */
  readonly sameAs?: MemoryRevisionRef;
  /** Memories that cannot hold beside the statement: of each pair the later one ends the earlier one. */
  readonly replaces?: readonly MemoryRevisionRef[];
}

/** A change of one memory; refused with `revision_conflict` when it is not at this revision any more. */
interface TargetedChange {
  readonly memoryId: string;
  readonly expectedRevision?: number;
}

/** One requested change of a user's memories. */
export type MemoryChange =
  | { readonly kind: 'observe'; readonly memory: NewMemory; readonly matches?: StatementMatches }
  | (TargetedChange & { readonly kind: 'edit'; readonly patch: MemoryPatch })
  | (TargetedChange & { readonly kind: 'supersede'; readonly memory: NewMemory })
  | (TargetedChange & { readonly kind: 'delete'; readonly by: 'user' | 'ttl' })
  | (TargetedChange & { readonly kind: 'restore' })
  /** Ends a deleted memory whose time to be restored is over. */
  | (TargetedChange & { readonly kind: 'purge' })
  /** Takes back the memory's last change, whatever it was; an undo too. */
  | (TargetedChange & { readonly kind: 'undo' })
  /** Serves a memory that was quarantined, or deletes it so that it is not quarantined again. */
  | (TargetedChange & { readonly kind: 'release' | 'reject' });

export type ChangeOutcome =
  | 'inserted'
  | 'updated'
  | 'unchanged'
  | 'suppressed'
  | 'quarantined'
  | 'superseded'
  /** Entered as ended: a later statement about the same thing was known already. */
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
  /** It is not deleted, or can still be restored. */
  | 'not_due'
  | 'not_quarantined'
  /** The memory's last change cannot be taken back any more. */
  | 'not_undoable'
  | 'revision_conflict';

/** What became of one change; `memoryId` is the memory that carries the statement now. */
export interface ChangeResult {
  readonly outcome: ChangeOutcome;
  readonly memoryId: string;
}

/** A link from the statement of a change, by its place, to that of another change or to a stored memory. */
export type PlannedLink = {
  readonly from: number;
  readonly relationType: RelationType;
  readonly strength: number;
} & ({ readonly to: number } | { readonly toMemoryId: string });

/** A history row before it is chained. */
export interface HistoryDraft {
  /** Null for what concerns the user and no single memory: CONSENT, ERASE. */
  readonly memoryId: string | null;
  readonly event: HistoryEvent;
  readonly oldRef: string | null;
  readonly newRef: string | null;
  readonly content: string;
  readonly meta: { readonly [key: string]: JsonValue };
}

/** A change_log row before its thread and revision are known. */
export interface ChangeDraft {
  readonly memoryId: string;
  readonly event: ChangeEvent;
  readonly category: string;
  readonly threadId: string | null;
  /** `new_threads`: only threads are told in which the memory was not said before this transaction. */
  readonly reach: 'all' | 'new_threads';
  readonly meta: { readonly [key: string]: JsonValue };
}

/** The last write of a memory, as its history tells, links apart. */
export interface LastWrite {
  readonly event: HistoryEvent;
  readonly newRef: string | null;
  readonly meta: { readonly [key: string]: JsonValue };
}

/** Everything one write transaction does, decided before its first write. */
export interface WritePlan {
  readonly inserts: readonly StoredMemory[];
  readonly updates: readonly StoredMemory[];
  /** Memories that go for good. */
  readonly purges: readonly string[];
  readonly sources: readonly (NewSource & { readonly memoryId: string })[];
  /** Sources of `fromId` that `toId` is to have too, after a merge. */
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
  /** Index terms of the memories that are served from now on, by memory id. */
  readonly terms: ReadonlyMap<string, UnitTerms>;
  /** Rows that say what another one says, in another time: they have its vectors too. */
  readonly copies: readonly { readonly fromId: string; readonly toId: string }[];
  /** Rows that are served from now on and have no vectors yet: new ones, and such as were quarantined. */
  readonly toEmbed: readonly StoredMemory[];
  /** How the user's collection statistics change. */
  readonly statistics: { readonly memories: number; readonly terms: number };
}

/** What planning needs beside the rows: the transaction's time and new ids. */
export interface PlanContext {
  /** Epoch ms. */
  readonly now: number;
  /** How long what is deleted now can be restored, in ms; PURGE_AFTER_MS unless given. */
  readonly purgeAfterMs?: number;
  readonly nextId: () => string;
  /** When the evidence of stored rows was said, oldest first; rows that are not named count as said when they begin. */
  readonly saidTimes?: ReadonlyMap<string, readonly number[]>;
  /** Needed for what is to be undone, and for all that was written together with it. */
  readonly lastWrites?: ReadonlyMap<string, LastWrite>;
}
