import { hashContent } from '../hash/content-hash.js';
import { endEarlierRows, findConflicts, findValidityEnd, timeStatement } from './conflicts.js';
import { isCurrent, wasDeletedSince } from './memory-row.js';
import { addEvidence } from './merge-into.js';
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
    return addEvidence(set, same, memory);
  }
  return insertImported(set, memory);
}

function completeKnown(set: WorkingSet, row: StoredMemory, memory: ImportedStatement): ChangeResult {
  if (row.state === 'soft_deleted') return { outcome: 'suppressed', memoryId: row.id };
  const ends = endsSince(set, row, memory);
  const mayClose = row.supersededBy === null && (ends || row.validTo !== null);
  const found = mayClose ? findSuccessor(set, memory) : null;
  const successor = found !== null && leadsTo(set, found, row.id) ? null : found;
  if (!ends && successor === null && memory.sources.length === 0) return { outcome: 'unchanged', memoryId: row.id };
  set.addSources(row.id, memory);
  const completed = set.update(row, {
    ...(ends ? { validTo: memory.validTo, closedAt: memory.closedAt ?? set.now } : {}),
    ...(successor === null ? {} : { supersededBy: successor }),
  });
  set.record(completed, 'UPDATE', { ...(successor === null ? {} : { newRef: successor }), meta: IMPORTED });
  if (completed.state === 'active') set.logChange(completed, 'updated');
  return { outcome: 'updated', memoryId: row.id };
}

/** Whether it has ended elsewhere since it was imported, and nothing that was said later speaks for it here. */
function endsSince(set: WorkingSet, row: StoredMemory, { validTo, quarantineReason }: ImportedStatement): boolean {
  if (validTo === null || quarantineReason !== null || !isCurrent(row)) return false;
  return validTo >= row.validFrom && !set.saidTimes(row.id).some((at) => at >= validTo);
}

/** Whether the successors of a memory lead to another one, which then cannot be replaced by it. */
function leadsTo(set: WorkingSet, from: string, to: string): boolean {
  const passed = new Set<string>();
  let next: string | null = from;
  while (next !== null && next !== to && !passed.has(next)) {
    passed.add(next);
    next = set.find(next)?.supersededBy ?? null;
  }
  return next === to;
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
  if (memory.validTo !== null && memory.validTo <= set.now) {
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
  const end = findValidityEnd(set, statement, conflicts);
  const ends = end && (memory.validTo === null || end.validTo < memory.validTo) ? end : null;
  const row = ends
    ? set.insertImported({ ...memory, validTo: ends.validTo, closedAt: null }, ends.supersededBy)
    : set.insertImported(memory, findSuccessor(set, memory));
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
