import type { Tx } from '../database/transaction.js';

/** Makes a user's index anew out of memories and messages. Answers how many units it has. */
export async function reindexUser(_tx: Tx, _userId: string): Promise<{ units: number }> {
  return { units: 0 };
}
