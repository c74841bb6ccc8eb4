import type { Tx } from '../database/transaction.js';
import { removeUnits } from '../lexical/remove-units.js';

/**
 * Deletes memories irrevocably: from the index, and then row, sources, vectors, relations and the content in their
 * history. Fails unless every one is deleted and due.
 */
export function purgeMemoryRows(tx: Tx, userId: string, memoryIds: readonly string[], now: number): Promise<unknown>[] {
  return [
    removeUnits(tx, { userId, memoryIds }),
    tx.execute('SELECT purge_memories($1, $2)', [memoryIds, new Date(now)]),
  ];
}
