import type { Tx } from '../database/transaction.js';

/** What is to leave the index. */
export interface UnitsOf {
  readonly userId: string;
  readonly memoryIds?: readonly string[];
  readonly messageIds?: readonly string[];
}

/** Takes units and their postings out of the index, in the transaction that deletes what they stand for. */
export async function removeUnits(_tx: Tx, _of: UnitsOf): Promise<{ removed: number }> {
  return { removed: 0 };
}
