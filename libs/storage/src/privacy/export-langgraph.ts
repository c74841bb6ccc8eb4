import { unpackBody } from '@annals/state-delta';
import type { Database } from '../database/database.js';
import type { LangGraphWriteEntity } from '../entities/langgraph.entity.js';
import { NAMESPACE_OF_THREAD } from '../langgraph/namespaces.js';
import { STATES_OF_CHECKPOINT_SQL } from '../langgraph/read-langgraph-checkpoints.js';
import { composeState } from '../langgraph/stored-states.js';

/** Kinds of lines, in their order. */
export const LANGGRAPH_KINDS = ['langgraph_checkpoint', 'langgraph_write'] as const;

interface LangGraphLine {
  readonly kind: (typeof LANGGRAPH_KINDS)[number];
  readonly text: string;
}

/** Writes per page, and how many bytes of them as they are stored: a page has one more at most. */
const PAGE_ROWS = 100;
const PAGE_BYTES = 1_000_000;

/** What `json` is: an object of PostgreSQL, copied as text so that its numbers are not parsed and serialized again. */
interface Row {
  readonly json: string;
}

type CheckpointRow = Row & { readonly namespace_key: string; readonly seq: number; readonly states: Buffer };
type WriteRow = Row & Pick<LangGraphWriteEntity, 'namespace_key' | 'checkpoint_id' | 'task_id' | 'idx' | 'body'>;

/**
 * The checkpoints of a user's threads of LangGraph, with their states, and what tasks have written; one state or value is
 * unpacked at a time. Each page is read in a transaction of its own.
 */
export async function* exportLangGraph(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  userId: string,
): AsyncGenerator<LangGraphLine> {
  for await (const { json, states } of readCheckpoints(database, tenantId, userId)) {
    yield renderLine('langgraph_checkpoint', json, 'state', composeState(states));
  }
  for await (const { json, body } of readWrites(database, tenantId, userId)) {
    yield renderLine('langgraph_write', json, 'value', unpackBody(body));
  }
}

async function* readCheckpoints(database: Pick<Database, 'readTenant'>, tenantId: string, userId: string) {
  let after: readonly unknown[] = [];
  for (;;) {
    const [row] = await database.readTenant(tenantId, (tx) =>
      tx.query<CheckpointRow>(
        `SELECT c.namespace_key, c.seq, ${STATES_OF_CHECKPOINT_SQL} AS states,
                jsonb_build_object('thread_id', t.thread_id, 'checkpoint_ns', n.checkpoint_ns,
                  'checkpoint_id', c.checkpoint_id, 'parent_id', c.parent_id, 'metadata', c.metadata,
                  'replayed_channels', c.replayed_channels, 'saved_at', c.saved_at)::text AS json
           FROM ${NAMESPACE_OF_THREAD}
           JOIN langgraph_checkpoints c ON c.tenant_id = n.tenant_id AND c.namespace_key = n.namespace_key
          WHERE t.user_id = $1 AND c.checkpoint_id IS NOT NULL
            ${after.length > 0 ? 'AND (c.namespace_key, c.seq) > ($2::uuid, $3::integer)' : ''}
          ORDER BY c.namespace_key, c.seq LIMIT 1`,
        [userId, ...after],
      ),
    );
    if (!row) return;
    yield row;
    after = [row.namespace_key, row.seq];
  }
}

async function* readWrites(database: Pick<Database, 'readTenant'>, tenantId: string, userId: string) {
  let after: readonly unknown[] = [];
  for (;;) {
    const rows: WriteRow[] = await database.readTenant(tenantId, (tx) =>
      tx.query<WriteRow>(
        `SELECT f.namespace_key, f.checkpoint_id, f.task_id, f.idx, f.body,
                jsonb_build_object('thread_id', f.thread_id, 'checkpoint_ns', f.checkpoint_ns, 'checkpoint_id', f.checkpoint_id,
                  'task_id', f.task_id, 'task_path', f.task_path, 'idx', f.idx, 'channel', f.channel, 'type', f.type)::text AS json
           FROM (SELECT p.*, sum(octet_length(p.body)) OVER (ORDER BY p.namespace_key, p.checkpoint_id, p.task_id, p.idx)
                             - octet_length(p.body) AS bytes_before
                   FROM (SELECT t.thread_id, n.checkpoint_ns, w.* FROM ${NAMESPACE_OF_THREAD}
                           JOIN langgraph_writes w ON w.tenant_id = n.tenant_id AND w.namespace_key = n.namespace_key
                          WHERE t.user_id = $1 ${
                            after.length > 0
                              ? 'AND (w.namespace_key, w.checkpoint_id, w.task_id, w.idx) > ($2::uuid, $3, $4, $5::integer)'
                              : ''
                          }
                          ORDER BY w.namespace_key, w.checkpoint_id, w.task_id, w.idx LIMIT ${PAGE_ROWS}) p) f
          WHERE f.bytes_before <= ${PAGE_BYTES}
          ORDER BY f.namespace_key, f.checkpoint_id, f.task_id, f.idx`,
        [userId, ...after],
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    after = [last.namespace_key, last.checkpoint_id, last.task_id, last.idx];
  }
}

function renderLine(kind: LangGraphLine['kind'], json: string, name: string, content: Uint8Array): LangGraphLine {
  const text = JSON.stringify(Buffer.from(content).toString('utf8'));
  return { kind, text: `{"kind":"${kind}","data":${json.slice(0, -1)},"${name}":${text}}}\n` };
}
