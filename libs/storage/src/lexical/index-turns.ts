import type { Tx } from '../database/transaction.js';

/**
 * Puts a sealed batch's turns into the index, once: `indexed`, or `already` when that was done before, or `skipped` when
 * there is no such batch, it is still open, or its user was erased. Locks the user's row, then the batch's.
 */
export async function indexTurns(
  _tx: Tx,
  _batch: { readonly batchId: string; readonly now: number },
): Promise<'indexed' | 'already' | 'skipped'> {
  return 'skipped';
}
