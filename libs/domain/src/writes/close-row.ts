import { changeValidTo } from './change-valid-to.js';
import type { StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Ends a row's validity; it never ends before it began. An end that lies ahead hides nothing yet: until then the row is
 * served beside its successor.
 */
export function closeRow(set: WorkingSet, row: StoredMemory, successorId: string, at: number): StoredMemory {
  return set.update(row, {
    ...changeValidTo(row, Math.max(at, row.validFrom), set.now),
    supersededBy: successorId,
  });
}
