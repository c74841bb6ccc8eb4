import type { Tx } from '../database/transaction.js';
import { lockCheckpoint, visibleVersion } from './checkpoint-row.js';

export type DeleteCheckpointResult =
  | { readonly outcome: 'deleted'; readonly version: number; readonly versions: number }
  | { readonly outcome: 'conflict'; readonly version: number }
  | { readonly outcome: 'not_found' };

/**
 * Deletes the states of a thread. The version count is retained, so that a caller who knows the deleted state cannot
 * take a later one for it.
 */
export async function deleteCheckpoint(
  tx: Tx,
  { userId, threadId, expectedVersion }: { userId: string; threadId: string; expectedVersion: number | null },
): Promise<DeleteCheckpointResult> {
  const row = await lockCheckpoint(tx, userId, threadId);
  const version = visibleVersion(row);
  if (row === undefined || version === 0) return { outcome: 'not_found' };
  if (expectedVersion !== null && expectedVersion !== version) return { outcome: 'conflict', version };
  tx.atCommit(
    tx.execute(
      `UPDATE checkpoints SET oldest_version = version + 1, whole_version = version + 1, whole_bytes = 0,
                              delta_bytes = 0, bytes = 0
        WHERE user_id = $1 AND thread_id = $2`,
      [userId, threadId],
    ),
    tx.execute('DELETE FROM checkpoint_versions WHERE user_id = $1 AND thread_id = $2', [userId, threadId]),
  );
  return { outcome: 'deleted', version, versions: version - row.oldest_version + 1 };
}
