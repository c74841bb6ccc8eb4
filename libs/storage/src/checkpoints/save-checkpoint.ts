import type { CheckpointInfo } from '@annals/contracts';
import type { DeltaChainStatistics } from '@annals/domain';
import { packBody } from '@annals/state-delta';
import { lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { planDelta } from './plan-delta.js';
import {
  type CheckpointRow,
  lockCheckpointWithState,
  type LockedCheckpoint,
  toInfo,
  visibleVersion,
} from './read-checkpoint.js';

/** A state to save. */
export interface SaveCheckpointInput {
  readonly userId: string;
  readonly threadId: string;
  /** JSON in UTF-8. */
  readonly state: Buffer;
  /** The version that the state is based on, 0 for none; null saves it without a check. */
  readonly expectedVersion: number | null;
  /** How many versions remain readable from now on, this one included. */
  readonly keepVersions: number;
  /** Epoch ms. */
  readonly now: number;
}

/** `conflict`: the expected version is not the current one; `version` is the current one, 0 for none. */
export type SaveCheckpointResult =
  | { readonly outcome: 'saved'; readonly isFirst: boolean; readonly info: CheckpointInfo }
  | { readonly outcome: 'conflict'; readonly version: number };

/**
 * Saves a state as the next version of its thread: as a delta to the version before, or in full when a delta is not
 * shorter or reading it would take too long. Two round trips, which transfer the stored state and the delta.
 */
export async function saveCheckpoint(tx: Tx, save: SaveCheckpointInput): Promise<SaveCheckpointResult> {
  const { userId, threadId, expectedVersion } = save;
  const locked = await lockCheckpointWithState(tx, userId, threadId);
  const version = visibleVersion(locked?.row);
  if (expectedVersion !== null && expectedVersion !== version) return { outcome: 'conflict', version };
  return locked ? saveNext(tx, save, locked) : saveFirst(tx, save);
}

/** Runs under the user's lock, since there is no row of the thread to lock. */
async function saveFirst(tx: Tx, save: SaveCheckpointInput): Promise<SaveCheckpointResult> {
  const { userId, threadId, state, now } = save;
  const body = packBody(state);
  await lockUser(tx, userId, now);
  const at = new Date(now);
  const row: CheckpointRow = {
    user_id: userId,
    thread_id: threadId,
    version: 1,
    oldest_version: 1,
    whole_version: 1,
    whole_bytes: body.length,
    delta_bytes: 0,
    bytes: state.length,
    created_at: at,
    updated_at: at,
  };
  const inserted = await tx.execute(
    `INSERT INTO checkpoints (user_id, thread_id, version, oldest_version, whole_version, whole_bytes, delta_bytes, bytes,
                              created_at, updated_at)
     VALUES ($1, $2, 1, 1, 1, $3, 0, $4, $5, $5) ON CONFLICT DO NOTHING`,
    [userId, threadId, body.length, state.length, at],
  );
  // A concurrent first save was committed while this one waited for the lock.
  if (inserted === 0) return saveCheckpoint(tx, save);
  tx.atCommit(
    tx.execute(
      `INSERT INTO checkpoint_versions (user_id, thread_id, version, whole_version, body, saved_at)
       VALUES ($1, $2, 1, 1, $3, $4)`,
      [userId, threadId, body, at],
    ),
  );
  return { outcome: 'saved', isFirst: true, info: toInfo(row) };
}

async function saveNext(
  tx: Tx,
  { state, keepVersions, now }: SaveCheckpointInput,
  { row, state: old }: LockedCheckpoint,
): Promise<SaveCheckpointResult> {
  const version = row.version + 1;
  const delta = old === null ? null : planDelta(statisticsOf(row), old, state, packBody);
  const body = delta ?? packBody(state);
  const next: CheckpointRow = {
    ...row,
    version,
    oldest_version: Math.max(Math.min(row.oldest_version, version), version - keepVersions + 1),
    whole_version: delta ? row.whole_version : version,
    whole_bytes: delta ? row.whole_bytes : body.length,
    delta_bytes: delta ? row.delta_bytes + body.length : 0,
    bytes: state.length,
    updated_at: new Date(now),
  };
  tx.atCommit(writeVersion(tx, next, body));
  // Versions that are no longer readable are deleted together with the full state they are based on, once there is
  // another full state.
  if (!delta && version > 1) tx.atCommit(deleteBefore(tx, next));
  return { outcome: 'saved', isFirst: visibleVersion(row) === 0, info: toInfo(next) };
}

function statisticsOf(row: CheckpointRow): DeltaChainStatistics {
  return { versions: row.version - row.whole_version, wholeBytes: row.whole_bytes, deltaBytes: row.delta_bytes };
}

/** Inserts the version and, in the same statement, updates its checkpoint. */
function writeVersion(tx: Tx, row: CheckpointRow, body: Buffer): Promise<number> {
  return tx.execute(
    `WITH moved AS (
       UPDATE checkpoints
          SET version = $3, oldest_version = $7, whole_version = $4, whole_bytes = $8, delta_bytes = $9, bytes = $10,
              updated_at = $6
        WHERE user_id = $1 AND thread_id = $2
     )
     INSERT INTO checkpoint_versions (user_id, thread_id, version, whole_version, body, saved_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      row.user_id,
      row.thread_id,
      row.version,
      row.whole_version,
      body,
      row.updated_at,
      row.oldest_version,
      row.whole_bytes,
      row.delta_bytes,
      row.bytes,
    ],
  );
}

function deleteBefore(tx: Tx, row: CheckpointRow): Promise<number> {
  return tx.execute(
    `DELETE FROM checkpoint_versions v
      WHERE v.user_id = $1 AND v.thread_id = $2
        AND v.version < (SELECT o.whole_version FROM checkpoint_versions o
                          WHERE o.user_id = $1 AND o.thread_id = $2 AND o.version = $3)`,
    [row.user_id, row.thread_id, row.oldest_version],
  );
}
