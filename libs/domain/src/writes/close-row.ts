import { changeValidTo } from './memory-row.js';
import type { StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Ends a row's validity; it never ends before it began. A row whose end is in the future is still served until then,
 * beside its successor.
 */
export function closeRow(set: WorkingSet, row: StoredMemory, successorId: string, at: number): StoredMemory {
  return set.update(row, {
    ...changeValidTo(row, Math.max(at, row.validFrom), set.now),
    supersededBy: successorId,
  });
}
