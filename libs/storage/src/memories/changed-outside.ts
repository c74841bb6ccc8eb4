import type { Tx } from '../database/transaction.js';

/**
 * Whether this transaction wrote a memory of the user in a category other than these: one that the memory it was about
 * superseded, was merged into, or had been written together with.
 */
export async function hasChangedOutside(
  tx: Tx,
  { userId, categories }: { readonly userId: string; readonly categories: readonly string[] },
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM memories
      WHERE user_id = $1 AND NOT category = ANY ($2) AND xmin = pg_current_xact_id()::xid LIMIT 1`,
    [userId, categories],
  );
  return rows.length > 0;
}
