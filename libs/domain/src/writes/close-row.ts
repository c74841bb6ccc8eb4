import type { StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Ends a row's validity; it never ends before it began. */
export function closeRow(set: WorkingSet, row: StoredMemory, successorId: string, at: number): StoredMemory {
  return set.update(row, {
    supersededBy: successorId,
    validTo: Math.max(at, row.validFrom),
    closedAt: set.now,
  });
}
