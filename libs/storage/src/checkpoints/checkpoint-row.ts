import type { CheckpointInfo } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { CheckpointEntity } from '../entities/checkpoint.entity.js';
import { columnsSql } from '../query/binder.js';

const COLUMNS = [
  'user_id',
  'thread_id',
  'version',
  'oldest_version',
  'whole_version',
  'whole_bytes',
  'delta_bytes',
  'bytes',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof CheckpointEntity)[];

/** Columns of a checkpoint, aliased `c`. */
export const CHECKPOINT_COLUMNS = columnsSql('c', COLUMNS);

/** A row of `checkpoints` as PostgreSQL returns it. */
export type CheckpointRow = Pick<CheckpointEntity, (typeof COLUMNS)[number]>;

export function toInfo(row: CheckpointRow): CheckpointInfo {
  return {
    user_id: row.user_id,
    thread_id: row.thread_id,
    version: row.version,
    oldest_version: row.oldest_version,
    bytes: row.bytes,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The current version as callers see it: 0 when nothing was saved or the saved state was deleted. */
export function visibleVersion(row: Pick<CheckpointRow, 'version' | 'oldest_version'> | undefined): number {
  return row === undefined || row.oldest_version > row.version ? 0 : row.version;
}

/** The checkpoint's row, locked until the transaction ends. */
export async function lockCheckpoint(tx: Tx, userId: string, threadId: string): Promise<CheckpointRow | undefined> {
  const [row] = await tx.query<CheckpointRow>(
    `SELECT ${CHECKPOINT_COLUMNS} FROM checkpoints c WHERE c.user_id = $1 AND c.thread_id = $2 FOR UPDATE`,
    [userId, threadId],
  );
  return row;
}
