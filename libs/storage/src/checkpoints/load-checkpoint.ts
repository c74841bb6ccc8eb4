import type { CheckpointInfo } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { CheckpointVersionEntity } from '../entities/checkpoint.entity.js';
import { CHECKPOINT_COLUMNS, type CheckpointRow, toInfo } from './checkpoint-row.js';
import { BODIES_SQL, composeBodies } from './stored-bodies.js';

/** A saved state, with the metadata of its thread's checkpoint. */
export interface LoadedCheckpoint {
  readonly info: CheckpointInfo;
  /** The requested version. */
  readonly version: number;
  readonly savedAt: string;
  /** JSON in UTF-8, as it was saved. */
  readonly state: Buffer;
}

type LoadedRow = CheckpointRow & Pick<CheckpointVersionEntity, 'saved_at'> & { bodies: Buffer | null };

const SAME_CHECKPOINT_SQL = 'v.tenant_id = c.tenant_id AND v.user_id = c.user_id AND v.thread_id = c.thread_id';

const NEWEST_SQL = `
  SELECT ${CHECKPOINT_COLUMNS}, c.updated_at AS saved_at,
         (SELECT ${BODIES_SQL} FROM checkpoint_versions v
           WHERE ${SAME_CHECKPOINT_SQL} AND v.version BETWEEN c.whole_version AND c.version) AS bodies
    FROM checkpoints c WHERE c.user_id = $1 AND c.thread_id = $2 AND c.oldest_version <= c.version`;

const EARLIER_SQL = `
  SELECT ${CHECKPOINT_COLUMNS}, o.saved_at,
         (SELECT ${BODIES_SQL} FROM checkpoint_versions v
           WHERE ${SAME_CHECKPOINT_SQL} AND v.version BETWEEN o.whole_version AND o.version) AS bodies
    FROM checkpoints c
    JOIN checkpoint_versions o ON o.tenant_id = c.tenant_id AND o.user_id = c.user_id AND o.thread_id = c.thread_id
   WHERE c.user_id = $1 AND c.thread_id = $2 AND o.version = $3 AND $3 BETWEEN c.oldest_version AND c.version`;

/** The newest state of a thread, or an earlier one that is retained; null when there is none. One round trip. */
export async function loadCheckpoint(
  tx: Tx,
  { userId, threadId, version }: { userId: string; threadId: string; version?: number | undefined },
): Promise<LoadedCheckpoint | null> {
  const [row] = await (version === undefined
    ? tx.query<LoadedRow>(NEWEST_SQL, [userId, threadId])
    : tx.query<LoadedRow>(EARLIER_SQL, [userId, threadId, version]));
  if (!row?.bodies) return null;
  return {
    info: toInfo(row),
    version: version ?? row.version,
    savedAt: row.saved_at.toISOString(),
    state: composeBodies(row.bodies),
  };
}
