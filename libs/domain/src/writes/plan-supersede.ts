import { hashContent } from '../hash/content-hash.js';
import { endEarlierRows, findConflicts, timeStatement } from './conflicts.js';
import { isCurrent } from './memory-row.js';
import { mergeInto } from './merge-into.js';
import { planEdit } from './plan-lifecycle.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans a change of meaning (docs/reference/truth-and-time.md#superseding-a-memory): the old row ends where the new one
 * begins, and refers to it. If a current row already has the new content, the old one is merged into that.
 */
export function planSupersede(set: WorkingSet, memoryId: string, memory: NewMemory): ChangeResult {
  const old = set.find(memoryId);
  if (!old || old.state === 'soft_deleted') return { outcome: 'not_found', memoryId };
  if (!isCurrent(old)) return { outcome: 'not_current', memoryId };
  if (memory.content === old.content) {
    const { category, importance, pinned } = memory;
    return planEdit(set, memoryId, { category, importance, pinned });
  }
  const duplicate = set.withHash(hashContent(memory.content)).find((row) => isCurrent(row) && row.id !== old.id);
  return duplicate ? mergeIntoDuplicate(set, old, duplicate, memory) : replace(set, old, memory);
}

function mergeIntoDuplicate(
  set: WorkingSet,
  old: StoredMemory,
  duplicate: StoredMemory,
  memory: NewMemory,
): ChangeResult {
  const closed = set.close(old, duplicate.id, memory.validFrom);
  set.record(closed, 'MERGE', { oldRef: old.id, newRef: duplicate.id });
  set.logChange(closed, 'merged', memory.threadId, { mergedInto: duplicate.id });
  set.copySources(old.id, duplicate.id);
  mergeInto(set, duplicate, memory);
  return { outcome: 'merged', memoryId: duplicate.id };
}

function replace(set: WorkingSet, old: StoredMemory, memory: NewMemory): ChangeResult {
  // The new row has the sources of the old one, until it gets its own.
  const successor = set.insert(memory);
  set.copySources(old.id, successor.id);
  const closed = set.close(old, successor.id, memory.validFrom);
  set.record(closed, 'UPDATE', { oldRef: old.id, newRef: successor.id, meta: { reason: 'superseded' } });
  const statement = timeStatement(memory);
  const others = findConflicts(set, statement).filter(({ row }) => row.id !== old.id);
  endEarlierRows(set, successor, statement, others);
  set.record(successor, 'ADD', { oldRef: old.id, meta: { reason: 'supersedes' } });
  set.logChange(successor, 'updated', memory.threadId, { replaces: old.id });
  return { outcome: 'superseded', memoryId: successor.id };
}
