import { isTransientDatabaseError } from '../database/errors.js';

/**
 * Prunes those of the scanned that are due, one after the other. One that cannot be read does not stop the others: the
 * first such error is the `problem`. Throws when the database is unavailable.
 */
export async function pruneDue<Scanned extends { readonly is_due: boolean }>(
  scanned: readonly Scanned[],
  prune: (row: Scanned) => Promise<number>,
): Promise<{ versions: number; problem: unknown }> {
  let versions = 0;
  let problem: unknown;
  for (const row of scanned) {
    if (!row.is_due) continue;
    try {
      versions += await prune(row);
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      problem ??= error;
    }
  }
  return { versions, problem };
}
