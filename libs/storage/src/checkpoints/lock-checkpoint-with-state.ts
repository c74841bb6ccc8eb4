import type { Tx } from '../database/transaction.js';
import { CHECKPOINT_COLUMNS, type CheckpointRow } from './checkpoint-row.js';
import { BODIES_SQL, composeBodies } from './stored-bodies.js';

/** A checkpoint that this transaction has locked, with its newest state; null when the state was deleted. */
export interface LockedCheckpoint {
  readonly row: CheckpointRow;
  readonly state: Buffer | null;
}

type LockedRow = CheckpointRow & { last: number | null; whole: number | null; bodies: Buffer | null };

/**
 * Locks a checkpoint and reads its newest state, in one statement. A transaction that waited for the lock gets the
 * current row but versions of the older snapshot: then the first or the last version does not match the checkpoint, and
 * the versions are read again.
 */
export async function lockCheckpointWithState(
  tx: Tx,
  userId: string,
  threadId: string,
): Promise<LockedCheckpoint | null> {
  const [row] = await tx.query<LockedRow>(
    `SELECT ${CHECKPOINT_COLUMNS}, b.last, b.whole, b.bodies FROM checkpoints c
      CROSS JOIN LATERAL (
        SELECT max(v.version) AS last, min(v.version) FILTER (WHERE v.version = v.whole_version) AS whole,
               ${BODIES_SQL} AS bodies FROM checkpoint_versions v
         WHERE v.tenant_id = c.tenant_id AND v.user_id = c.user_id AND v.thread_id = c.thread_id
           AND v.version >= c.whole_version) b
      WHERE c.user_id = $1 AND c.thread_id = $2 FOR UPDATE OF c`,
    [userId, threadId],
  );
  if (!row) return null;
  if (row.oldest_version > row.version) return { row, state: null };
  const isNewest = row.last === row.version && row.whole === row.whole_version;
  const bodies = isNewest ? row.bodies : await readBodies(tx, row);
  if (!bodies) throw new Error('A checkpoint has no stored state.');
  return { row, state: composeBodies(bodies) };
}

async function readBodies(tx: Tx, row: CheckpointRow): Promise<Buffer | null> {
  const [read] = await tx.query<{ bodies: Buffer | null }>(
    `SELECT ${BODIES_SQL} AS bodies FROM checkpoint_versions v
      WHERE v.user_id = $1 AND v.thread_id = $2 AND v.version >= $3`,
    [row.user_id, row.thread_id, row.whole_version],
  );
  return read?.bodies ?? null;
}
