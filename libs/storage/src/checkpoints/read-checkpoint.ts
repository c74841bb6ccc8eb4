import type { CheckpointInfo, CheckpointPage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { CheckpointEntity, CheckpointVersionEntity } from '../entities/checkpoint.entity.js';
import { columnsSql } from '../query/binder.js';
import { bodiesSql, composeBodies } from './stored-bodies.js';

const BODIES_SQL = bodiesSql('version');

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
const COLUMNS_SQL = columnsSql('c', COLUMNS);

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
    `SELECT ${COLUMNS_SQL} FROM checkpoints c WHERE c.user_id = $1 AND c.thread_id = $2 FOR UPDATE`,
    [userId, threadId],
  );
  return row;
}

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

const ofCheckpoint = (v: string) =>
  `${v}.tenant_id = c.tenant_id AND ${v}.user_id = c.user_id AND ${v}.thread_id = c.thread_id`;

/** The bodies that result in the version of the row aliased `to`. */
const bodiesUpTo = (to: string) =>
  `(SELECT ${BODIES_SQL} FROM checkpoint_versions v
     WHERE ${ofCheckpoint('v')} AND v.version BETWEEN ${to}.whole_version AND ${to}.version) AS bodies`;

const NEWEST_SQL = `
  SELECT ${COLUMNS_SQL}, c.updated_at AS saved_at, ${bodiesUpTo('c')} FROM checkpoints c
   WHERE c.user_id = $1 AND c.thread_id = $2 AND c.oldest_version <= c.version`;

const EARLIER_SQL = `
  SELECT ${COLUMNS_SQL}, o.saved_at, ${bodiesUpTo('o')} FROM checkpoints c
    JOIN checkpoint_versions o ON ${ofCheckpoint('o')}
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
    `SELECT ${COLUMNS_SQL}, b.last, b.whole, b.bodies FROM checkpoints c
      CROSS JOIN LATERAL (
        SELECT max(v.version) AS last, min(v.version) FILTER (WHERE v.version = v.whole_version) AS whole,
               ${BODIES_SQL} AS bodies FROM checkpoint_versions v
         WHERE ${ofCheckpoint('v')} AND v.version >= c.whole_version) b
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

/** A user's checkpoints, latest saved first. Throws InvalidCursorError. */
export async function listCheckpoints(
  tx: Tx,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CheckpointPage> {
  const after = parseCursor(cursor, ['time', 'text']);
  const rows = await tx.query<CheckpointRow & { updated_key: string }>(
    `SELECT ${COLUMNS_SQL}, c.updated_at::text AS updated_key FROM checkpoints c
      WHERE c.user_id = $1 AND c.oldest_version <= c.version
        ${after ? 'AND (c.updated_at, c.thread_id) < ($3::timestamptz, $4)' : ''}
      ORDER BY c.updated_at DESC, c.thread_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after ?? [])],
  );
  return buildPage(rows, limit, toInfo, (row) => [row.updated_key, row.thread_id]);
}
