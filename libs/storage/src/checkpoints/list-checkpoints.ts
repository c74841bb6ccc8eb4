import type { CheckpointPage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { CHECKPOINT_COLUMNS, type CheckpointRow, toInfo } from './checkpoint-row.js';

/** A user's checkpoints, latest saved first. Throws InvalidCursorError. */
export async function listCheckpoints(
  tx: Tx,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CheckpointPage> {
  const after = parseCursor(cursor, ['time', 'text']);
  const rows = await tx.query<CheckpointRow & { updated_key: string }>(
    `SELECT ${CHECKPOINT_COLUMNS}, c.updated_at::text AS updated_key FROM checkpoints c
      WHERE c.user_id = $1 AND c.oldest_version <= c.version
        ${after ? 'AND (c.updated_at, c.thread_id) < ($3::timestamptz, $4)' : ''}
      ORDER BY c.updated_at DESC, c.thread_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after ?? [])],
  );
  return buildPage(rows, limit, toInfo, (row) => [row.updated_key, row.thread_id]);
}
