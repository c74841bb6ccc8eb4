import type { ChangeEvent } from '@annals/contracts';
import { changeValidTo, isCurrent } from './memory-row.js';
import { SAME_MEANING } from './plan-comparison.js';
import { MERGED_FROM } from './plan-merge.js';
import { GROUND_LOST } from './plan-lifecycle.js';
import { parsePreviousValues } from './previous-values.js';
import type { ChangeResult, LastWrite, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

interface UndoneRow {
  readonly before: StoredMemory;
  readonly after: StoredMemory;
}

/** Events that cannot be undone, or that are no changes of a memory. */
const FINAL = new Set(['PURGE', 'ERASE', 'CONSENT', 'LINK']);

/** Fields that writes of the previous release changed without recording their previous values in the history. */
const LEGACY_UNDO_FIELDS: Readonly<Record<string, Partial<StoredMemory>>> = {
  DELETE: { state: 'active', deletedAt: null, deletedBy: null, purgeAt: null },
  EVICT: { state: 'active', deletedAt: null, deletedBy: null, purgeAt: null },
  TTL: { state: 'active', deletedAt: null, deletedBy: null, purgeAt: null },
  UPDATE: { validTo: null, supersededBy: null },
  MERGE: { validTo: null, supersededBy: null },
};

/**
 * Plans the undo of a memory's last change, with all rows written together with it: rows that it created are deleted,
 * rows that it ended are valid again, rows that it deleted are restored. An undo is a change like any other, so it can
 * be undone. If later rows follow, the gap is closed: of A, B, C, without B, A ends where C begins.
 */
export function planUndo(set: WorkingSet, memoryId: string): ChangeResult {
  const last = set.lastWrite(memoryId);
  if (!set.find(memoryId)) return { outcome: 'not_found', memoryId };
  if (!last || FINAL.has(last.event) || last.meta['reason'] === GROUND_LOST) {
    return { outcome: 'not_undoable', memoryId };
  }
  const made = findCreatedRows(set, memoryId, last);
  const changed = findChangedRows(set, memoryId, last).filter(({ row }) => !made.some(({ id }) => id === row.id));
  if (made.length === 0 && changed.length === 0) return { outcome: 'not_undoable', memoryId };
  const by = changed.length > 0 ? 'undo' : 'user';
  const removals = made.map((row) => remove(set, row, last, by));
  const restorations = changed.map(({ row, write }) => restore(set, row, write, last, made));
  const restored = restorations.map(({ after }) => after);
  const gaps = made.flatMap((row) => closeGap(set, row, [...made, ...restored], last));
  logUndoneChanges(set, [...removals, ...restorations, ...gaps]);
  const survivor = made.some(({ id }) => id === memoryId) ? restored.find(({ state }) => state === 'active') : null;
  return { outcome: 'undone', memoryId: survivor?.id ?? memoryId };
}

/** The rows that the change created, whatever happened to them since. */
function findCreatedRows(set: WorkingSet, memoryId: string, last: LastWrite): StoredMemory[] {
  const made = [memoryId, ...listWrittenTogether(last)].filter((id) => {
    const write = set.lastWrite(id);
    const isOfChange = id === memoryId || (write && listWrittenTogether(write).includes(memoryId));
    if (isOfChange) return write?.event === 'ADD' || write?.event === 'QUARANTINE';
    return last.event === 'UPDATE' && last.meta['reason'] === 'superseded' && last.newRef === id;
  });
  return made.flatMap((id) => set.find(id) ?? []).filter(({ state }) => state !== 'soft_deleted');
}

/** The rows that the change altered and that were not altered since. */
function findChangedRows(
  set: WorkingSet,
  memoryId: string,
  last: LastWrite,
): { row: StoredMemory; write: LastWrite }[] {
  return [memoryId, ...listWrittenTogether(last)].flatMap((id) => {
    const row = set.find(id);
    const write = set.lastWrite(id);
    if (!row || !write || write.event === 'ADD' || write.event === 'QUARANTINE') return [];
    return id === memoryId || listWrittenTogether(write).includes(memoryId) ? [{ row, write }] : [];
  });
}

function listWrittenTogether({ meta, newRef }: LastWrite): string[] {
  const writtenTogether = meta['with'];
  if (Array.isArray(writtenTogether)) return writtenTogether.map(String);
  return newRef === null ? [] : [newRef];
}

function remove(set: WorkingSet, row: StoredMemory, last: LastWrite, by: 'user' | 'undo'): UndoneRow {
  return recordUndo(set, row, set.update(row, deletion(set, by)), last);
}

function deletion(set: WorkingSet, deletedBy: 'user' | 'undo'): Partial<StoredMemory> {
  return { state: 'soft_deleted', deletedAt: set.now, deletedBy, purgeAt: set.purgeAt };
}

/** The row with the same content and state that this one would be restored to: served, or quarantined. */
function findDuplicate(set: WorkingSet, target: StoredMemory): StoredMemory | undefined {
  const others = set.withHash(target.hash).filter(({ id }) => id !== target.id);
  if (isCurrent(target)) return others.find(isCurrent);
  return target.state === 'quarantined' ? others.find(({ state }) => state === 'quarantined') : undefined;
}

function restore(
  set: WorkingSet,
  row: StoredMemory,
  write: LastWrite,
  last: LastWrite,
  made: readonly StoredMemory[],
): UndoneRow {
  const previous =
    write.meta['from'] === undefined
      ? (LEGACY_UNDO_FIELDS[write.event] ?? {})
      : parsePreviousValues(write.meta['from']);
  // The row that ended it is removed, but was itself ended by another one: it ends where that one begins.
  const successor = made.find(({ id, supersededBy }) => id === row.supersededBy && supersededBy !== null);
  const isTakenOver = successor !== undefined && set.storedRevision(successor.id) !== 1;
  const { validTo, ...fields } = isTakenOver
    ? { ...previous, validTo: successor.validTo, supersededBy: successor.supersededBy }
    : previous;
  const target = { ...row, ...fields, ...(validTo === undefined ? {} : { validTo }) };
  const duplicate = findDuplicate(set, target);
  const ended = duplicate ? { validTo: Math.max(set.now, target.validFrom), supersededBy: duplicate.id } : { validTo };
  // A row that would be quarantined a second time is deleted instead: if it were only ended, it would exist twice.
  const isQuarantinedTwice = duplicate?.state === 'quarantined';
  const isDeleted = row.state === 'soft_deleted';
  const restored = set.update(row, {
    ...(isQuarantinedTwice ? (isDeleted ? {} : deletion(set, 'undo')) : fields),
    ...(ended.validTo === undefined ? {} : changeValidTo(row, ended.validTo, set.now)),
    ...(duplicate ? { supersededBy: duplicate.id } : {}),
  });
  return recordUndo(set, row, restored, last);
}

/**
 * Rows that ended where a removed one began, by changes of their own, end where that one ended. If one would hold
 * beside a row with the same content, it ends where that one begins.
 */
function closeGap(set: WorkingSet, gone: StoredMemory, done: readonly StoredMemory[], last: LastWrite): UndoneRow[] {
  const left = set.activeRows().filter((row) => row.supersededBy === gone.id && !done.some(({ id }) => id === row.id));
  return left.map((row) => {
    const duplicate = findDuplicate(set, { ...row, validTo: gone.validTo, supersededBy: gone.supersededBy });
    const validTo = duplicate ? Math.max(duplicate.validFrom, row.validFrom) : gone.validTo;
    const bridged = set.update(row, {
      ...changeValidTo(row, validTo, set.now),
      supersededBy: duplicate?.id ?? gone.supersededBy,
    });
    return recordUndo(set, row, bridged, last);
  });
}

function recordUndo(set: WorkingSet, before: StoredMemory, after: StoredMemory, last: LastWrite): UndoneRow {
  // What a merged memory said is still said by those that were merged: nothing that repeats it is over.
  const isMerged = last.event === 'ADD' && last.meta['reason'] === MERGED_FROM && after.state === 'soft_deleted';
  set.record(after, 'UNDO', { meta: { undone: last.event, ...(isMerged ? { reason: SAME_MEANING } : {}) } });
  return { before, after };
}

/**
 * Writes the change log of an undo in the form of the change that it reverts: a row that is served again replaces the
 * one that had replaced it, and that one gets no change of its own.
 */
function logUndoneChanges(set: WorkingSet, undone: readonly UndoneRow[]): void {
  const replaced = new Map(
    undone.flatMap((back) => {
      const gone = undone.find((one) => isReplacedBy(one, back));
      return gone ? [[back.after.id, gone.after.id] as const] : [];
    }),
  );
  const silent = new Set(replaced.values());
  for (const { before, after } of undone) {
    // A quarantined memory never appeared in a thread's changes.
    if (silent.has(after.id) || (before.quarantineReason !== null && after.quarantineReason !== null)) continue;
    const replaces = replaced.get(after.id);
    const isRefiled = before.category !== after.category;
    set.logChange(after, replaces ? 'updated' : resolveChangeEvent(before, after), undefined, {
      ...(replaces ? { replaces } : {}),
      ...(isRefiled ? { formerCategory: before.category } : {}),
    });
  }
}

/** Whether `back` is served again instead of `gone`, in the same category, so that the same callers see both. */
function isReplacedBy(gone: UndoneRow, back: UndoneRow): boolean {
  const rows = [gone.before, gone.after, back.before, back.after];
  return (
    isCurrent(gone.before) &&
    !isCurrent(gone.after) &&
    !isCurrent(back.before) &&
    isCurrent(back.after) &&
    (back.before.supersededBy === gone.before.id || gone.after.supersededBy === back.after.id) &&
    rows.every(({ category, quarantineReason }) => category === back.after.category && quarantineReason === null)
  );
}

function resolveChangeEvent(before: StoredMemory, after: StoredMemory): ChangeEvent {
  // For its threads, a memory that is quarantined again is deleted.
  if (after.state !== 'active') return 'deleted';
  return before.state === 'active' ? 'updated' : 'restored';
}
