import { hashContent } from '../hash/content-hash.js';
import { endEarlierRows, findConflicts, findValidityEnd, timeStatement } from './conflicts.js';
import { isCurrent, wasDeletedSince } from './memory-row.js';
import type { ChangeResult, ImportedStatement, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Of the rows of history of an import. */
const IMPORTED = { reason: 'imported' } as const;

/**
 * Stores a memory as it was elsewhere (docs/reference/moving.md#what-happens-to-a-memory). It holds when it held there,
 * unless something that is stored here and was said later contradicts it. What is stored already under its id gets what
 * it lacks of what the memory refers to, and one that says the same stands for it.
 */
export function planImport(set: WorkingSet, memory: ImportedStatement): ChangeResult {
  const known = set.find(memory.id);
  if (known) return completeKnown(set, known, memory);
  const alike = set.withHash(hashContent(memory.content));
  const deleted = alike.find((row) => wasDeletedSince(row, memory.saidAt));
  if (deleted) return { outcome: 'suppressed', memoryId: deleted.id };
  const same = alike.find((row) => standsFor(row, memory));
  if (same) {
    set.standIn(memory.id, same.id);
    return { outcome: 'unchanged', memoryId: same.id };
  }
  return insertImported(set, memory);
}

function completeKnown(set: WorkingSet, row: StoredMemory, memory: ImportedStatement): ChangeResult {
  if (row.state === 'soft_deleted') return { outcome: 'suppressed', memoryId: row.id };
  const successor = findSuccessor(set, memory);
  const isOpen = row.supersededBy === null && row.validTo !== null;
  const closes = successor !== null && successor !== row.id && isOpen;
  if (!closes && memory.sources.length === 0) return { outcome: 'unchanged', memoryId: row.id };
  set.addSources(row.id, memory);
  const completed = set.update(row, closes ? { supersededBy: successor } : {});
  set.record(completed, 'UPDATE', { ...(closes ? { newRef: successor } : {}), meta: IMPORTED });
  if (completed.state === 'active') set.logChange(completed, 'updated');
  return { outcome: 'updated', memoryId: row.id };
}

/** The memory that replaced it, under the id that it has here, if it is stored. */
function findSuccessor(set: WorkingSet, { supersededBy }: ImportedStatement): string | null {
  return (supersededBy === null ? undefined : set.find(supersededBy))?.id ?? null;
}

/** A row with the same content: current like the memory, quarantined like it, or over like it since and until the same time. */
function standsFor(row: StoredMemory, memory: ImportedStatement): boolean {
  if (memory.quarantineReason !== null) return isCurrent(row) || row.state === 'quarantined';
  if (memory.validTo === null) return isCurrent(row);
  return row.state === 'active' && row.validFrom === memory.validFrom && row.validTo === memory.validTo;
}

function insertImported(set: WorkingSet, memory: ImportedStatement): ChangeResult {
  if (memory.quarantineReason !== null) {
    const row = set.insertImported(memory, null);
    set.record(row, 'QUARANTINE', { meta: IMPORTED });
    return { outcome: 'quarantined', memoryId: row.id };
  }
  if (memory.validTo !== null) {
    const successor = findSuccessor(set, memory);
    const row = set.insertImported(memory, successor);
    set.record(row, 'ADD', { ...(successor === null ? {} : { newRef: successor }), meta: IMPORTED });
    set.logChange(row, 'created', memory.threadId);
    return { outcome: 'inserted_ended', memoryId: row.id };
  }
  return insertCurrent(set, memory);
}

/** As if it had been said here when it was said there: of two that contradict each other, the later one holds. */
function insertCurrent(set: WorkingSet, memory: ImportedStatement): ChangeResult {
  const statement = timeStatement(memory);
  const conflicts = findConflicts(set, statement).filter(({ row }) => isCurrent(row));
  const ends = findValidityEnd(set, statement, conflicts);
  const row = ends
    ? set.insertImported({ ...memory, validTo: ends.validTo }, ends.supersededBy)
    : set.insertImported(memory, null);
  const ended = endEarlierRows(set, row, statement, conflicts);
  const [replaced] = ends ? [] : ended;
  set.record(row, 'ADD', {
    ...(ended[0] ? { oldRef: ended[0].id } : {}),
    ...(ends ? { newRef: ends.supersededBy } : {}),
    meta: IMPORTED,
  });
  set.logChange(row, replaced ? 'updated' : 'created', memory.threadId, replaced ? { replaces: replaced.id } : {});
  return { outcome: ends ? 'inserted_ended' : replaced ? 'superseded' : 'inserted', memoryId: row.id };
}
