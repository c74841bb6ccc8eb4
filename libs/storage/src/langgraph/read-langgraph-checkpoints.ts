import {
  type LangGraphCheckpoint,
  type LangGraphCheckpointPage,
  type LangGraphWrite,
  MAX_PAGE_BYTES,
} from '@annals/contracts';
import { shouldStoreSnapshot } from '@annals/domain';
import { unpackBody } from '@annals/state-delta';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { LangGraphCheckpointEntity, LangGraphNamespaceEntity } from '../entities/langgraph.entity.js';
import { Binder } from '../query/binder.js';
import { NAMESPACE_OF_THREAD } from './namespaces.js';
import { statisticsOf } from './describe-saved.js';
import { composeState, STATES_SQL } from './stored-states.js';
import { describeVersion } from './version.js';

/** What the state of the checkpoint `c` is composed of. */
export const STATES_OF_CHECKPOINT_SQL = `(
  SELECT ${STATES_SQL} FROM langgraph_checkpoints v
   WHERE v.namespace_key = c.namespace_key AND v.seq BETWEEN c.whole_seq AND c.seq)`;

/** The writes behind the checkpoint `c`, in the order in which LangGraph applies them. */
export const writesSql = (condition = ''): string => `(
  SELECT jsonb_agg(jsonb_build_array(w.task_id, w.task_path, w.idx, w.channel, w.type, encode(w.body, 'base64'))
                   ORDER BY w.task_path, w.task_id, w.idx)
    FROM langgraph_writes w
   WHERE w.namespace_key = c.namespace_key AND w.checkpoint_id = c.checkpoint_id ${condition})`;

export type WriteColumns = readonly [
  taskId: string,
  taskPath: string,
  idx: number,
  channel: string,
  type: string,
  body: string,
];

export function toWrite([taskId, taskPath, idx, channel, type, body]: WriteColumns): LangGraphWrite {
  const value = Buffer.from(unpackBody(Buffer.from(body, 'base64'))).toString('utf8');
  return { task_id: taskId, task_path: taskPath, idx, channel, type, value };
}

type Row = Pick<LangGraphCheckpointEntity, 'seq' | 'parent_id' | 'metadata' | 'bytes' | 'saved_at' | 'namespace_key'> &
  Pick<LangGraphNamespaceEntity, 'checkpoint_ns'> & {
    checkpoint_id: string;
    thread_id: string;
    newest_seq: number;
    newest_whole_seq: number;
    whole_bytes: number;
    delta_bytes: number;
    states: Buffer;
    writes: WriteColumns[] | null;
  };

const COLUMNS_SQL = `t.thread_id, n.checkpoint_ns, n.namespace_key, c.checkpoint_id, c.parent_id, c.metadata, c.seq, c.bytes,
  c.saved_at, n.seq AS newest_seq, n.whole_seq AS newest_whole_seq, n.whole_bytes, n.delta_bytes,
  ${STATES_OF_CHECKPOINT_SQL} AS states, ${writesSql()} AS writes`;

function toCheckpoint(row: Row): LangGraphCheckpoint {
  return {
    thread_id: row.thread_id,
    checkpoint_ns: row.checkpoint_ns,
    checkpoint_id: row.checkpoint_id,
    parent_id: row.parent_id,
    metadata: row.metadata as Record<string, unknown>,
    saved_at: row.saved_at.toISOString(),
    version: describeVersion({ namespaceKey: row.namespace_key, seq: row.seq, bytes: row.bytes }),
    takes_delta:
      row.seq === row.newest_seq && !shouldStoreSnapshot(statisticsOf({ ...row, whole_seq: row.newest_whole_seq }), 0),
    state: composeState(row.states).toString('utf8'),
    writes: (row.writes ?? []).map(toWrite),
  };
}

export interface CheckpointName {
  readonly threadId: string;
  readonly checkpointNs: string;
  /** By default the one with the greatest id. */
  readonly checkpointId: string | undefined;
  readonly userId: string | undefined;
}

/** One checkpoint with the writes behind it, in one round trip; null when there is none. */
export async function loadLangGraphCheckpoint(
  tx: Tx,
  { threadId, checkpointNs, checkpointId, userId }: CheckpointName,
): Promise<LangGraphCheckpoint | null> {
  const binder = new Binder();
  binder.where((thread) => `t.thread_id = ${thread}`, threadId);
  binder.where((ns) => `n.checkpoint_ns = ${ns}`, checkpointNs);
  binder.where((user) => `t.user_id = ${user}`, userId);
  const which =
    checkpointId === undefined
      ? 'AND k.checkpoint_id IS NOT NULL ORDER BY k.checkpoint_id DESC'
      : `AND k.checkpoint_id = ${binder.bind(checkpointId)}`;
  const [row] = await tx.query<Row>(
    `SELECT ${COLUMNS_SQL} FROM ${NAMESPACE_OF_THREAD}
      CROSS JOIN LATERAL (
        SELECT k.* FROM langgraph_checkpoints k WHERE k.namespace_key = n.namespace_key ${which} LIMIT 1) c
      WHERE ${binder.whereSql()}`,
    binder.values,
  );
  return row ? toCheckpoint(row) : null;
}

export interface CheckpointSearch {
  readonly user_id?: string | undefined;
  readonly thread_id?: string | undefined;
  readonly checkpoint_ns?: string | undefined;
  readonly checkpoint_id?: string | undefined;
  readonly before?: string | undefined;
  readonly metadata?: object | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Checkpoints in descending order of their ids. A page ends early when its states and writes are together larger than
 * `MAX_PAGE_BYTES`; one state is always on it. Throws InvalidCursorError.
 */
export async function searchLangGraphCheckpoints(tx: Tx, search: CheckpointSearch): Promise<LangGraphCheckpointPage> {
  const after = parseCursor(search.cursor, ['text', 'uuid', 'integer']);
  const binder = new Binder();
  binder.where((user) => `t.user_id = ${user}`, search.user_id);
  binder.where((thread) => `t.thread_id = ${thread}`, search.thread_id);
  binder.where((ns) => `n.checkpoint_ns = ${ns}`, search.checkpoint_ns);
  binder.where((id) => `c.checkpoint_id = ${id}`, search.checkpoint_id);
  binder.where((id) => `c.checkpoint_id < ${id}`, search.before);
  binder.where((json) => `c.metadata @> ${json}::jsonb`, search.metadata && JSON.stringify(search.metadata));
  // A cursor can hold a number that no seq has room for.
  const behind = after
    ? `(c.checkpoint_id, c.namespace_key, c.seq) < (${after.map((part) => binder.bind(part)).join(', ')}::bigint)`
    : 'true';
  // The states are read of those alone that fit on the page.
  const rows = await tx.query<Row>(
    `WITH found AS (
       SELECT t.thread_id, n.checkpoint_ns, n.seq AS newest_seq, n.whole_seq AS newest_whole_seq, n.whole_bytes,
              n.delta_bytes, c.namespace_key, c.seq, c.whole_seq, c.checkpoint_id, c.parent_id, c.metadata, c.bytes,
              c.saved_at
         FROM ${NAMESPACE_OF_THREAD}
         JOIN langgraph_checkpoints c ON c.tenant_id = n.tenant_id AND c.namespace_key = n.namespace_key
        WHERE ${binder.whereSql('c.checkpoint_id IS NOT NULL', behind)}
        ORDER BY c.checkpoint_id DESC, c.namespace_key DESC, c.seq DESC LIMIT ${binder.bind(search.limit + 1)}
     ), weighed AS (
       SELECT f.*, f.bytes + (SELECT coalesce(sum(octet_length(w.body)), 0) FROM langgraph_writes w
                               WHERE w.namespace_key = f.namespace_key AND w.checkpoint_id = f.checkpoint_id) AS size
         FROM found f
     ), sized AS (
       SELECT f.*, sum(f.size) OVER (ORDER BY f.checkpoint_id DESC, f.namespace_key DESC, f.seq DESC) - f.size AS before
         FROM weighed f
     )
     SELECT c.*, CASE WHEN c.before <= ${MAX_PAGE_BYTES} THEN ${STATES_OF_CHECKPOINT_SQL} END AS states,
            CASE WHEN c.before <= ${MAX_PAGE_BYTES} THEN ${writesSql()} END AS writes
       FROM sized c ORDER BY c.checkpoint_id DESC, c.namespace_key DESC, c.seq DESC`,
    binder.values,
  );
  const fitting = rows.findIndex(({ states }) => states === null);
  const limit = fitting < 0 ? search.limit : Math.min(fitting, search.limit);
  return buildPage(rows, limit, toCheckpoint, (row) => [row.checkpoint_id, row.namespace_key, row.seq]);
}
