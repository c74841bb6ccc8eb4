import type { LangGraphThread, LangGraphThreadCounts, LangGraphThreadPage } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { lockExistingUser, lockUser } from '../audit/user-chain.js';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import { keyedSubject, noteDeletions } from '../deletions/note-deletion.js';
import type { LangGraphNamespaceEntity, LangGraphThreadEntity } from '../entities/langgraph.entity.js';
import { Binder } from '../query/binder.js';
import { ofThread, ownUserOf } from './namespaces.js';

type ThreadRow = Pick<LangGraphThreadEntity, 'thread_key' | 'thread_id' | 'user_id'>;

/** Deletes threads with all that they have. `userId`: only threads of this user. `now`: epoch ms. */
export async function deleteLangGraphThreads(
  tx: Tx,
  {
    threadIds,
    userId,
    now,
  }: { readonly threadIds: readonly string[]; readonly userId: string | undefined; readonly now: number },
): Promise<LangGraphThreadCounts> {
  const threads = await tx.query<ThreadRow>(
    `SELECT thread_key, thread_id, user_id FROM langgraph_threads
      WHERE thread_id = ANY ($1) AND ($2::text IS NULL OR user_id = $2) ORDER BY thread_key FOR UPDATE`,
    [threadIds, userId ?? null],
  );
  if (threads.length === 0) return { checkpoints: 0, writes: 0 };
  const keys = threads.map(({ thread_key: key }) => key);
  // Waits for whoever writes a checkpoint, and keeps out who begins.
  const namespaces = await tx.query<Pick<LangGraphNamespaceEntity, 'namespace_key'>>(
    'SELECT namespace_key FROM langgraph_namespaces WHERE thread_key = ANY ($1) ORDER BY namespace_key FOR UPDATE',
    [keys],
  );
  const ofNamespaces = [namespaces.map(({ namespace_key: key }) => key)];
  const writes = await tx.execute('DELETE FROM langgraph_writes WHERE namespace_key = ANY ($1)', ofNamespaces);
  const [deleted] = await tx.query<{ checkpoints: number }>(
    `WITH gone AS (DELETE FROM langgraph_checkpoints WHERE namespace_key = ANY ($1) RETURNING checkpoint_id)
     SELECT count(checkpoint_id)::integer AS checkpoints FROM gone`,
    ofNamespaces,
  );
  await tx.execute('DELETE FROM langgraph_namespaces WHERE namespace_key = ANY ($1)', ofNamespaces);
  await tx.execute('DELETE FROM langgraph_threads WHERE thread_key = ANY ($1)', [keys]);
  const kind = 'langgraph_thread';
  const notes = threads.map(
    ({ thread_id: threadId }) => ({ kind, subject: keyedSubject(tx, kind, [threadId]) }) as const,
  );
  await noteDeletions(tx, notes, now);
  return { checkpoints: deleted!.checkpoints, writes };
}

export interface ThreadCopy {
  readonly sourceId: string;
  readonly targetId: string;
  readonly userId: string | undefined;
  readonly now: number;
  readonly ids: IdGenerator;
}

/** Copies a thread with all that it has, for the same user: a thread of its own user becomes one of its own user. */
export async function copyLangGraphThread(
  tx: Tx,
  copy: ThreadCopy,
): Promise<LangGraphThreadCounts | 'not_found' | 'exists'> {
  const { sourceId, targetId, userId, now, ids } = copy;
  const [[source]] = await allOf([
    tx.query<ThreadRow>(
      `SELECT t.thread_key, t.thread_id, t.user_id FROM langgraph_threads t WHERE ${ofThread('$1', '$2')}`,
      [sourceId, userId ?? null],
    ),
    tx.execute('SAVEPOINT before_locks'),
  ]);
  if (!source) return 'not_found';
  const isOwned = source.user_id !== ownUserOf(sourceId);
  const owner = isOwned ? source.user_id : ownUserOf(targetId);
  // Who has been erased meanwhile gets no row again, which would contain their id.
  await (isOwned ? lockExistingUser(tx, owner) : lockUser(tx, owner, now));
  const [held] = await tx.query<Pick<ThreadRow, 'user_id'>>(
    'SELECT user_id FROM langgraph_threads WHERE thread_key = $1 FOR SHARE',
    [source.thread_key],
  );
  if (held?.user_id !== source.user_id) {
    // Deleted, or given another user, before its user was locked. Gives up both locks: users are locked before threads,
    // and whoever holds the new user may be waiting for this thread.
    await tx.execute('ROLLBACK TO SAVEPOINT before_locks');
    return copyLangGraphThread(tx, copy);
  }
  const threadKey = ids.next();
  const inserted = await tx.execute(
    `INSERT INTO langgraph_threads (thread_key, thread_id, user_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, thread_id) DO NOTHING`,
    [threadKey, targetId, owner, new Date(now)],
  );
  if (inserted === 0) return 'exists';
  // No checkpoint may be written between the copies of its namespace and of its states.
  const namespaces = await tx.query<LangGraphNamespaceEntity>(
    `SELECT namespace_key FROM langgraph_namespaces WHERE thread_key = $1 ORDER BY namespace_key FOR UPDATE`,
    [source.thread_key],
  );
  const keys = [namespaces.map(({ namespace_key: key }) => key), namespaces.map(() => ids.next())];
  await tx.execute(
    `INSERT INTO langgraph_namespaces (namespace_key, thread_key, checkpoint_ns, seq, whole_seq, whole_bytes, delta_bytes,
                                       bytes, updated_at)
     SELECT k.to_key, $3, n.checkpoint_ns, n.seq, n.whole_seq, n.whole_bytes, n.delta_bytes, n.bytes, $4
       FROM langgraph_namespaces n JOIN unnest($1::uuid[], $2::uuid[]) AS k (from_key, to_key) ON k.from_key = n.namespace_key`,
    [...keys, threadKey, new Date(now)],
  );
  const [copied] = await tx.query<{ checkpoints: number }>(
    `WITH copied AS (
       INSERT INTO langgraph_checkpoints (namespace_key, seq, whole_seq, checkpoint_id, parent_id, metadata,
                                          replayed_channels, bytes, body, saved_at)
       SELECT k.to_key, c.seq, c.whole_seq, c.checkpoint_id, c.parent_id, c.metadata, c.replayed_channels, c.bytes, c.body,
              c.saved_at
         FROM langgraph_checkpoints c
         JOIN unnest($1::uuid[], $2::uuid[]) AS k (from_key, to_key) ON k.from_key = c.namespace_key
       RETURNING checkpoint_id)
     SELECT count(checkpoint_id)::integer AS checkpoints FROM copied`,
    keys,
  );
  const writes = await tx.execute(
    `INSERT INTO langgraph_writes (namespace_key, checkpoint_id, task_id, task_path, idx, channel, type, body)
     SELECT k.to_key, w.checkpoint_id, w.task_id, w.task_path, w.idx, w.channel, w.type, w.body
       FROM langgraph_writes w
       JOIN unnest($1::uuid[], $2::uuid[]) AS k (from_key, to_key) ON k.from_key = w.namespace_key`,
    keys,
  );
  return { checkpoints: copied!.checkpoints, writes };
}

/** Threads in the order of their ids. Throws InvalidCursorError. */
export async function listLangGraphThreads(
  tx: Tx,
  { userId, limit, cursor }: { userId: string | undefined; limit: number; cursor?: string | undefined },
): Promise<LangGraphThreadPage> {
  const [after] = parseCursor(cursor, ['text']) ?? [];
  const binder = new Binder();
  binder.where((user) => `t.user_id = ${user}`, userId);
  binder.where((id) => `t.thread_id > ${id}`, after);
  const rows = await tx.query<
    ThreadRow & { created_at: Date; updated_at: Date; checkpoints: number; stored_bytes: string }
  >(
    `SELECT t.thread_key, t.thread_id, t.user_id, t.created_at, coalesce(s.updated_at, t.created_at) AS updated_at,
            s.checkpoints, s.stored_bytes
       FROM (SELECT * FROM langgraph_threads t WHERE ${binder.whereSql()}
              ORDER BY t.thread_id LIMIT ${binder.bind(limit + 1)}) t
      CROSS JOIN LATERAL (
        SELECT max(n.updated_at) AS updated_at, coalesce(sum(c.checkpoints), 0)::integer AS checkpoints,
               coalesce(sum(c.bytes), 0) AS stored_bytes
          FROM langgraph_namespaces n
         CROSS JOIN LATERAL (
           SELECT count(k.checkpoint_id) AS checkpoints, sum(octet_length(k.body)) AS bytes
             FROM langgraph_checkpoints k WHERE k.namespace_key = n.namespace_key) c
         WHERE n.thread_key = t.thread_key) s
      ORDER BY t.thread_id`,
    binder.values,
  );
  return buildPage(rows, limit, toThread, ({ thread_id: id }) => [id]);
}

function toThread(
  row: ThreadRow & { created_at: Date; updated_at: Date; checkpoints: number; stored_bytes: string },
): LangGraphThread {
  return {
    thread_id: row.thread_id,
    user_id: row.user_id,
    checkpoints: row.checkpoints,
    stored_bytes: Number(row.stored_bytes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
