import { packBody } from '@annals/state-delta';
import type { Database } from '../database/database.js';
import { NO_TENANT, type Tx } from '../database/transaction.js';
import type { CheckpointEntity, CheckpointVersionEntity } from '../entities/checkpoint.entity.js';
import { noteKeyedDeletion } from '../deletions/note-deletion.js';
import { pruneDue } from './prune-due.js';
import { type CheckpointRow, loadCheckpoint, lockCheckpoint, visibleVersion } from './read-checkpoint.js';

export type DeleteCheckpointResult =
  | { readonly outcome: 'deleted'; readonly version: number; readonly versions: number }
  | { readonly outcome: 'conflict'; readonly version: number }
  | { readonly outcome: 'not_found' };

/**
 * Deletes a thread's states. Versions continue to count, so that no later state is taken for a deleted one. `now`: epoch ms.
 */
export async function deleteCheckpoint(
  tx: Tx,
  {
    userId,
    threadId,
    expectedVersion,
    now,
  }: { userId: string; threadId: string; expectedVersion: number | null; now: number },
): Promise<DeleteCheckpointResult> {
  const row = await lockCheckpoint(tx, userId, threadId);
  const version = visibleVersion(row);
  if (row === undefined || version === 0) return { outcome: 'not_found' };
  if (expectedVersion !== null && expectedVersion !== version) return { outcome: 'conflict', version };
  tx.atCommit(
    noteKeyedDeletion(tx, 'checkpoint', [userId, threadId], now),
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

/** The last checkpoint that was scanned: tenant, user, thread. */
export type PruneCursor = readonly [tenantId: string, userId: string, threadId: string];

const FIRST: PruneCursor = [NO_TENANT, '', ''];

/**
 * Deletes versions that were saved before `before` (epoch ms) and have a later one, among the next `limit` checkpoints
 * of all tenants after `cursor`. Returns the number of deleted versions and the next cursor; null at the end. The
 * newest state of a thread is retained at any age. A checkpoint that cannot be read does not stop the others: the first
 * such error is the `problem`. Throws when the database is unavailable.
 */
export async function pruneCheckpoints(
  database: Database,
  { before, limit, cursor }: { before: number; limit: number; cursor: PruneCursor | null },
): Promise<{ versions: number; cursor: PruneCursor | null; problem?: unknown }> {
  const scanned = await database.callAcrossTenants<
    Pick<CheckpointEntity, 'tenant_id' | 'user_id' | 'thread_id'> & { is_due: boolean }
  >('look_for_old_versions', [new Date(before), ...(cursor ?? FIRST), limit]);
  const { versions, problem } = await pruneDue(scanned, ({ tenant_id, user_id, thread_id }) =>
    database.inTenant(tenant_id, (tx) => pruneCheckpoint(tx, user_id, thread_id, before)),
  );
  const last = scanned.at(-1);
  return {
    versions,
    problem,
    cursor: last && scanned.length === limit ? [last.tenant_id, last.user_id, last.thread_id] : null,
  };
}

type StoredVersion = Pick<CheckpointVersionEntity, 'version' | 'whole_version'>;

/** Stores the oldest retained version in full and deletes all versions before it. */
async function pruneCheckpoint(tx: Tx, userId: string, threadId: string, before: number): Promise<number> {
  const row = await lockCheckpoint(tx, userId, threadId);
  if (row === undefined) return 0;
  const [found] = await tx.query<StoredVersion>(
    `SELECT version, whole_version FROM checkpoint_versions
      WHERE user_id = $1 AND thread_id = $2 AND version >= $3 AND (saved_at >= $4 OR version = $5)
      ORDER BY version LIMIT 1`,
    [userId, threadId, row.oldest_version, new Date(before), row.version],
  );
  if (!found) return 0;
  if (found.whole_version !== found.version) await storeInFull(tx, row, found);
  const deleted = await tx.execute(
    'DELETE FROM checkpoint_versions WHERE user_id = $1 AND thread_id = $2 AND version < $3',
    [userId, threadId, found.version],
  );
  await tx.execute('UPDATE checkpoints SET oldest_version = $3 WHERE user_id = $1 AND thread_id = $2', [
    userId,
    threadId,
    found.version,
  ]);
  return deleted;
}

async function storeInFull(
  tx: Tx,
  { user_id: userId, thread_id: threadId, whole_version: headWhole }: CheckpointRow,
  { version, whole_version: previousWhole }: StoredVersion,
): Promise<void> {
  const loaded = await loadCheckpoint(tx, { userId, threadId, version });
  if (!loaded) throw new Error('A retained version of a checkpoint cannot be read.');
  const body = packBody(loaded.state);
  await tx.execute(
    `UPDATE checkpoint_versions SET whole_version = $3, body = CASE WHEN version = $3 THEN $4 ELSE body END
      WHERE user_id = $1 AND thread_id = $2 AND whole_version = $5 AND version >= $3`,
    [userId, threadId, version, body, previousWhole],
  );
  if (headWhole !== previousWhole) return;
  await tx.execute(
    `UPDATE checkpoints
        SET whole_version = $3, whole_bytes = $4,
            delta_bytes = (SELECT coalesce(sum(octet_length(v.body)), 0) FROM checkpoint_versions v
                            WHERE v.user_id = $1 AND v.thread_id = $2 AND v.version > $3)
      WHERE user_id = $1 AND thread_id = $2`,
    [userId, threadId, version, body.length],
  );
}
