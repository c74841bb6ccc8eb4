import { packBody } from '@annals/domain';
import type { Database } from '../database/database.js';
import { type Creation, ensureNamespace, NAMESPACE_OF_THREAD, type NamespaceName, ofThread } from './namespaces.js';

export interface WriteToSave {
  readonly idx: number;
  readonly channel: string;
  readonly type: string;
  readonly value: string;
}

export interface TaskWrites extends NamespaceName {
  readonly checkpointId: string;
  readonly taskId: string;
  readonly taskPath: string;
  readonly writes: readonly WriteToSave[];
}

/**
 * Saves what a task has written, in one round trip unless the thread is new. One with a negative index replaces an earlier
 * one, others stay as they were first saved. Resolves to false when the thread belongs to another user.
 */
export async function saveLangGraphWrites(
  database: Database,
  tenantId: string,
  task: TaskWrites,
  creation: Creation,
): Promise<boolean> {
  if (await insertWrites(database, tenantId, task)) return true;
  const isOwn = await database.inTenant(tenantId, (tx) => ensureNamespace(tx, task, creation));
  return isOwn && saveLangGraphWrites(database, tenantId, task, creation);
}

async function insertWrites(database: Database, tenantId: string, task: TaskWrites): Promise<boolean> {
  // The last of several under one index, since a statement changes a row once.
  const writes = [...new Map(task.writes.map((write) => [write.idx, write])).values()];
  const { held } = await database.inTenant(tenantId, async (tx) => {
    const inserting = tx.query(
      // Who deletes a namespace waits for the lock on it.
      `WITH held AS (
         SELECT n.namespace_key FROM ${NAMESPACE_OF_THREAD}
          WHERE ${ofThread('$1', '$2')} AND n.checkpoint_ns = $3 FOR KEY SHARE OF n
       ), written AS (
         INSERT INTO langgraph_writes AS w (namespace_key, checkpoint_id, task_id, task_path, idx, channel, type, body)
         SELECT held.namespace_key, $4, $5, $6, g.idx, g.channel, g.type, g.body
           FROM held, unnest($7::integer[], $8::text[], $9::text[], $10::bytea[]) AS g (idx, channel, type, body)
         ON CONFLICT (tenant_id, namespace_key, checkpoint_id, task_id, idx) DO UPDATE
            SET channel = excluded.channel, type = excluded.type, body = excluded.body, task_path = excluded.task_path
          WHERE excluded.idx < 0
       )
       SELECT FROM held`,
      [
        task.threadId,
        task.userId ?? null,
        task.checkpointNs,
        task.checkpointId,
        task.taskId,
        task.taskPath,
        writes.map(({ idx }) => idx),
        writes.map(({ channel }) => channel),
        writes.map(({ type }) => type),
        writes.map(({ value }) => packBody(Buffer.from(value, 'utf8'))),
      ],
    );
    tx.atCommit(inserting);
    return { held: inserting };
  });
  return (await held).length > 0;
}
