import { isCurrent } from './memory-row.js';
import { mergeInto } from './merge-into.js';
import type { ChangeResult, DeletionCause, MemoryPatch, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

export function planEdit(set: WorkingSet, memoryId: string, patch: MemoryPatch, reason?: 'rerank'): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory || memory.state === 'soft_deleted') return { outcome: 'not_found', memoryId };
  if (memory.supersededBy !== null) return { outcome: 'not_current', memoryId };
  const changed = (['category', 'importance', 'pinned'] as const).filter(
    (field) => patch[field] !== undefined && patch[field] !== memory[field],
  );
  if (changed.length === 0) return { outcome: 'unchanged', memoryId };
  const updated = set.update(memory, Object.fromEntries(changed.map((field) => [field, patch[field]])));
  set.record(updated, 'UPDATE', {
    meta: { from: pick(memory, changed), to: pick(updated, changed), ...(reason ? { reason } : {}) },
  });
  const isRefiled = updated.category !== memory.category;
  // Quarantined memories never appear in a thread's changes.
  if (memory.state === 'active') {
    set.logChange(updated, 'updated', undefined, isRefiled ? { formerCategory: memory.category } : {});
  }
  return { outcome: 'updated', memoryId };
}

/** How each deletion is recorded. */
const DELETION = {
  user: { history: 'DELETE', change: 'deleted' },
  ttl: { history: 'TTL', change: 'soft_deleted' },
  eviction: { history: 'EVICT', change: 'evicted' },
  ground: { history: 'DELETE', change: 'deleted' },
} as const satisfies Record<DeletionCause, object>;

/**
 * Plans a deletion that can be restored until the row is purged. What a user deletes takes along what was merged into it,
 * which would say it still (docs/reference/lifecycle.md#merged-memories-go-along).
 */
export function planDelete(set: WorkingSet, memoryId: string, by: DeletionCause): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  const along = by === 'user' ? set.mergedInto(memoryId) : [];
  const deleted = [memory, ...along].filter((row) => canDelete(row, by));
  for (const row of deleted) deleteRow(set, row, by);
  return { outcome: deleted.length === 0 ? 'unchanged' : 'deleted', memoryId };
}

/** A deletion by the user takes over from expiry and undo: then no repetition restores the memory. */
function canDelete(memory: StoredMemory, by: DeletionCause): boolean {
  return memory.state !== 'soft_deleted' || (memory.deletedBy !== 'user' && by === 'user');
}

function deleteRow(set: WorkingSet, memory: StoredMemory, by: DeletionCause): void {
  const deleted = set.update(memory, {
    state: 'soft_deleted',
    deletedAt: set.now,
    deletedBy: by,
    purgeAt: set.purgeAt,
  });
  set.record(deleted, DELETION[by].history, by === 'ground' ? { meta: { reason: GROUND_LOST } } : {});
  // A quarantined memory never appeared in a thread's changes.
  if (memory.quarantineReason === null) set.logChange(deleted, DELETION[by].change);
}

/** Reason of a deletion in the history: an insight lost what it rests on. */
export const GROUND_LOST = 'ground_lost';

/** Restores a deleted memory, with what was deleted along with it. `by` `ground`: because its ground was restored. */
export function planRestore(set: WorkingSet, memoryId: string, by?: 'ground'): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (memory.state !== 'soft_deleted') return { outcome: 'not_deleted', memoryId };
  if (memory.deletedBy === 'ground' && by !== 'ground') return { outcome: 'without_ground', memoryId };
  const along = set.mergedInto(memoryId).filter((row) => isDeletedAlong(row, memory));
  const result = restoreRow(set, memory);
  for (const row of along) restoreRow(set, row);
  return result;
}

function isDeletedAlong(row: StoredMemory, { deletedAt, deletedBy }: StoredMemory): boolean {
  return row.state === 'soft_deleted' && row.deletedAt === deletedAt && row.deletedBy === deletedBy;
}

/** If another current row has the same content by now, the deleted one is merged into that. */
function restoreRow(set: WorkingSet, memory: StoredMemory): ChangeResult {
  const memoryId = memory.id;
  const restored = {
    // A memory that was quarantined before its deletion is quarantined again.
    state: memory.quarantineReason === null ? ('active' as const) : ('quarantined' as const),
    deletedAt: null,
    deletedBy: null,
    purgeAt: null,
  };
  const alike = set.withHash(memory.hash).filter((row) => row.id !== memory.id);
  const duplicate = isCurrent({ ...memory, ...restored })
    ? alike.find(isCurrent)
    : alike.find((row) => restored.state === 'quarantined' && row.state === 'quarantined');
  if (duplicate) return restoreIntoDuplicate(set, memory, restored, duplicate);
  const active = set.update(memory, restored);
  set.record(active, 'RESTORE');
  if (active.state === 'active') set.logChange(active, 'restored');
  return { outcome: 'restored', memoryId };
}

function restoreIntoDuplicate(
  set: WorkingSet,
  memory: StoredMemory,
  restored: Partial<StoredMemory>,
  duplicate: StoredMemory,
): ChangeResult {
  // Two rows of one hash are never current at once: the restored one becomes superseded. A quarantined one stays
  // deleted: active, even superseded, it would be served.
  const row = restored.state === 'active' ? { ...memory, ...restored } : memory;
  const merged = set.close(row, duplicate.id, set.now);
  set.record(merged, 'MERGE', { oldRef: memory.id, newRef: duplicate.id });
  if (merged.state === 'active') set.logChange(merged, 'merged', undefined, { mergedInto: duplicate.id });
  set.copySources(memory.id, duplicate.id);
  mergeInto(set, duplicate, { ...memory, sources: [], saidAt: memory.recordedAt });
  return { outcome: 'merged', memoryId: duplicate.id };
}

function pick(memory: StoredMemory, fields: readonly ('category' | 'importance' | 'pinned')[]) {
  return Object.fromEntries(fields.map((field) => [field, memory[field]]));
}

/**
 * Deletes the row and all that belongs to it; that it existed stays provable
 * (docs/reference/audit.md#content-leaves-the-chain). Its threads got a change when it was deleted. What was merged into
 * it is deleted now if a release that left it had deleted the row for the user: nothing would tell of the merge any more.
 */
export function planPurge(set: WorkingSet, memoryId: string): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  const isDue = memory.state === 'soft_deleted' && memory.purgeAt !== null && memory.purgeAt <= set.now;
  if (!isDue) return { outcome: 'not_due', memoryId };
  const left = memory.deletedBy === 'user' ? set.mergedInto(memoryId) : [];
  for (const row of left.filter(({ state }) => state !== 'soft_deleted')) deleteRow(set, row, 'user');
  set.record({ ...memory, content: '' }, 'PURGE', { meta: { deleted_by: memory.deletedBy } });
  set.purge(memory);
  return { outcome: 'purged', memoryId };
}
