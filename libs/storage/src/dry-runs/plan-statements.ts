import {
  type ChangeResult,
  type IdGenerator,
  planWrites,
  type RequestedChanges,
  type StoredMemory,
  type WritePlan,
} from '@annals/domain';
import type { TriedMemory } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import { loadRows } from '../memories/load-rows.js';

/** What a write would do with one statement. */
export interface TriedStatement extends Pick<TriedMemory, 'outcome' | 'reason' | 'supersedes'> {
  /** The stored memory that says the same; null for none. */
  readonly memoryId: string | null;
}

const REFUSED_BY_PERSON = 'deleted_by_user';

/**
 * Plans statements on what is stored, as the write path does, and writes nothing: duplicates by their words, and
 * contradictions by their slots. What only means the same is found by the write, which has vectors. Unless it
 * `readsStored`, as if nothing was stored.
 */
export async function planStatements(
  tx: Tx,
  { userId, readsStored }: { readonly userId: string; readonly readsStored: boolean },
  { changes, links }: RequestedChanges,
  { now, ids }: { readonly now: number; readonly ids: IdGenerator },
): Promise<TriedStatement[]> {
  if (changes.length === 0) return [];
  const { stored, ...loaded } = readsStored ? await loadRows(tx, userId, changes, links) : { stored: [] };
  const plan = planWrites(stored, changes, links, { now, ...loaded, nextId: () => ids.next() });
  const before = new Map(stored.map((row) => [row.id, row]));
  return plan.results.map((result) => describe(result, plan, before));
}

function describe(
  { outcome, memoryId }: ChangeResult,
  { updates, inserts }: WritePlan,
  before: ReadonlyMap<string, StoredMemory>,
): TriedStatement {
  const known = before.has(memoryId) ? memoryId : null;
  switch (outcome) {
    case 'superseded': {
      const ended = updates.filter((row) => row.supersededBy === memoryId && before.get(row.id)?.supersededBy === null);
      return { outcome: 'supersede', memoryId: null, supersedes: ended.map(({ id }) => id), reason: null };
    }
    case 'quarantined': {
      const reason = inserts.find(({ id }) => id === memoryId)?.quarantineReason ?? null;
      return { outcome: 'refused', memoryId: null, supersedes: [], reason };
    }
    case 'suppressed':
      return { outcome: 'refused', memoryId: null, supersedes: [], reason: REFUSED_BY_PERSON };
    case 'updated':
    case 'merged':
      return { outcome: 'update', memoryId: known, supersedes: [], reason: null };
    case 'unchanged':
      return { outcome: 'duplicate', memoryId: known, supersedes: [], reason: null };
    default:
      return { outcome: 'insert', memoryId: null, supersedes: [], reason: null };
  }
}
