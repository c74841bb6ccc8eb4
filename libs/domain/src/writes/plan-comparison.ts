import { isCurrent } from './memory-row.js';
import { mergeInto } from './merge-into.js';
import type { ChangeResult, StatementMatches, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans what the similarity check of a stored memory found (docs/reference/reconciliation.md#vectors-that-come-later):
 * of two memories with the same meaning the one recorded later is merged into the other, as if it had been compared
 * when it was written.
 */
export function planComparison(set: WorkingSet, memoryId: string, matches?: StatementMatches): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (!isCurrent(memory)) return { outcome: 'not_current', memoryId };
  const same = matches?.sameAs && findSuccessor(set, matches.sameAs.memoryId);
  if (!same || !isCurrent(same) || same.id === memory.id) return { outcome: 'unchanged', memoryId };
  const [kept, repeated] = [memory, same].toSorted(compareRecorded) as [StoredMemory, StoredMemory];
  return mergeRepeated(set, repeated, kept);
}

/** The row that stands for one that was merged earlier in the same plan. */
function findSuccessor(set: WorkingSet, id: string): StoredMemory | undefined {
  const row = set.find(id);
  return row && row.supersededBy !== null ? findSuccessor(set, row.supersededBy) : row;
}

function compareRecorded(a: StoredMemory, b: StoredMemory): number {
  return a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : 1);
}

function mergeRepeated(set: WorkingSet, repeated: StoredMemory, kept: StoredMemory): ChangeResult {
  // It never holds beside the other one, in no query about the past either.
  const closed = set.close(repeated, kept.id, repeated.validFrom);
  set.record(closed, 'MERGE', { oldRef: repeated.id, newRef: kept.id });
  set.logChange(closed, 'merged', undefined, { mergedInto: kept.id });
  set.copySources(repeated.id, kept.id);
  const isSaidBefore = repeated.validFrom < kept.validFrom;
  const begun = isSaidBefore ? set.update(kept, { validFrom: repeated.validFrom }) : kept;
  const { outcome } = mergeInto(set, begun, { ...repeated, sources: [], saidAt: repeated.validFrom });
  if (isSaidBefore && outcome === 'unchanged') {
    set.record(begun, 'UPDATE', { meta: { reason: 'said_before' } });
    set.logChange(begun, 'updated');
  }
  return { outcome: 'merged', memoryId: kept.id };
}
