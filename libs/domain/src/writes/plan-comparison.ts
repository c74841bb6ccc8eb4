import { isCurrent } from './memory-row.js';
import { mergeInto } from './merge-into.js';
import type { ChangeResult, MemoryRevisionRef, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Reason of a merge in the history: what was said of the merged memory still holds. */
export const SAME_MEANING = 'same_meaning';

/**
 * Plans what the similarity check of a stored memory found (docs/reference/reconciliation.md#vectors-that-come-later):
 * of two memories with the same meaning the one recorded later is merged into the other, as if it had been compared
 * when it was written. One that was merged earlier in the same plan does not count: its successor may mean less the same.
 */
export function planComparison(
  set: WorkingSet,
  memoryId: string,
  matches: readonly MemoryRevisionRef[] = [],
): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (!isCurrent(memory)) return { outcome: 'not_current', memoryId };
  const same = matches
    .flatMap((match) => set.find(match.memoryId) ?? [])
    .find((row) => isCurrent(row) && row.id !== memory.id);
  if (!same) return { outcome: 'unchanged', memoryId };
  const [kept, repeated] = [memory, same].toSorted(compareRecorded) as [StoredMemory, StoredMemory];
  return mergeRepeated(set, repeated, kept);
}

function compareRecorded(a: StoredMemory, b: StoredMemory): number {
  return a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : 1);
}

function mergeRepeated(set: WorkingSet, repeated: StoredMemory, kept: StoredMemory): ChangeResult {
  // It never holds beside the other one, in no query about the past either.
  const closed = set.close(repeated, kept.id, repeated.validFrom);
  set.record(closed, 'MERGE', { oldRef: repeated.id, newRef: kept.id, meta: { reason: SAME_MEANING } });
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
