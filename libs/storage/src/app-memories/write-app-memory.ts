import { type CompactionPlan, MAX_APP_MEMORIES } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';
import { poolTablesSql, RESTS_ON_HIDDEN_SQL } from './pool.js';

/** An app memory as it was made of one conversation. */
export interface MadeAppMemory {
  /** That of the pending row, when that is what is written now. */
  readonly id: string;
  readonly appId: string;
  readonly userId: string;
  readonly conversationId: string;
  /** Last message of the conversation that was read. */
  readonly asOfSeq: number;
  readonly content: string;
  /** Messages of the conversation that it rests on; at least one. */
  readonly messageIds: readonly string[];
  /** `local`, or the provider whose model made it. */
  readonly provider: string;
  readonly model: string | null;
}

export interface AppMemoryWrite {
  readonly fresh: MadeAppMemory;
  /** The memory whose place it takes: that of the same conversation before it went on. */
  readonly replaces: string | null;
  /** What makes room for it; null when there is room. */
  readonly plan: CompactionPlan | null;
  /** `pending`: the decision about eleven waits, and `plan` is null. Nobody sees it until then. */
  readonly state: 'active' | 'pending';
  readonly now: number;
}

/**
 * `active`: memories of the pool afterwards; `removed`: those that the plan took out of it. `hidden`: a message that it
 * rests on was deleted or forgotten meanwhile, and nothing was written.
 */
export type AppMemoryWritten =
  { readonly outcome: 'written'; readonly active: number; readonly removed: number } | { readonly outcome: 'hidden' };

/**
 * Writes an app memory, and carries out the plan that makes room for it (docs/reference/app-memories.md#one-decision).
 * The caller has locked the user, the conversation and the pool (`lockAppMemoryPool`), and planned on what it read behind
 * that. Throws when more than ten memories would be active: the plan was not about this pool.
 */
export async function writeAppMemory(
  tx: Tx,
  { fresh, replaces, plan, state, now }: AppMemoryWrite,
): Promise<AppMemoryWritten> {
  if (!(await areMessagesReadable(tx, fresh))) return { outcome: 'hidden' };
  const at = new Date(now);
  const edited = plan?.edited ?? null;
  const gone = plan?.removedIds ?? [];
  if (replaces !== null) {
    await tx.execute(
      `UPDATE app_memories SET state = 'superseded', replaced_by = $2, updated_at = $3 WHERE id = $1 AND state = 'active'`,
      [replaces, fresh.id, at],
    );
  }
  await insertMade(tx, fresh, state, at);
  const removed = await takeOut(tx, gone, edited?.id ?? null, at);
  if (edited) {
    await tx.execute(`UPDATE app_memories SET content = $2, updated_at = $3 WHERE id = $1 AND state = 'active'`, [
      edited.id,
      edited.content,
      at,
    ]);
    await tx.execute(
      `INSERT INTO app_memory_sources (app_memory_id, message_id, conversation_id, user_id)
       SELECT DISTINCT $1::uuid, s.message_id, s.conversation_id, s.user_id FROM app_memory_sources s
        WHERE s.app_memory_id = ANY ($2) ON CONFLICT DO NOTHING`,
      [edited.id, gone],
    );
  }
  await deleteOldest(tx, fresh);
  const active = await countPool(tx, fresh);
  if (state === 'active' && active > MAX_APP_MEMORIES) {
    throw new Error(`The plan leaves ${active} active app memories, ${MAX_APP_MEMORIES} is the limit.`);
  }
  return { outcome: 'written', active, removed };
}

/** Under the lock on the user, which whoever hides messages holds. */
async function areMessagesReadable(tx: Tx, { conversationId, messageIds }: MadeAppMemory): Promise<boolean> {
  if (messageIds.length === 0) throw new Error('An app memory rests on at least one message.');
  const [row] = await tx.query<{ readable: number }>(
    `SELECT count(*)::integer AS readable FROM messages g
      WHERE g.conversation_id = $1 AND g.id = ANY ($2) AND ${IS_RECALLABLE_SQL}`,
    [conversationId, messageIds],
  );
  return row!.readable === new Set(messageIds).size;
}

/** Or makes the pending row of it what it is now. What waited of an earlier end of the conversation goes. */
async function insertMade(tx: Tx, fresh: MadeAppMemory, state: AppMemoryWrite['state'], at: Date): Promise<void> {
  await tx.execute(`DELETE FROM app_memories WHERE conversation_id = $1 AND state = 'pending' AND id <> $2`, [
    fresh.conversationId,
    fresh.id,
  ]);
  await tx.execute(
    `INSERT INTO app_memories AS m (id, app_id, user_id, conversation_id, as_of_seq, content, state, provider, model,
                                    created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
     ON CONFLICT (tenant_id, id)
     DO UPDATE SET content = excluded.content, state = excluded.state, updated_at = excluded.updated_at
      WHERE m.state = 'pending'`,
    [
      fresh.id,
      fresh.appId,
      fresh.userId,
      fresh.conversationId,
      fresh.asOfSeq,
      fresh.content,
      state,
      fresh.provider,
      fresh.model,
      at,
    ],
  );
  await tx.execute(
    `INSERT INTO app_memory_sources (app_memory_id, message_id, conversation_id, user_id)
     SELECT $1, r.id, $2, $3 FROM unnest($4::uuid[]) AS r (id) ON CONFLICT DO NOTHING`,
    [fresh.id, fresh.conversationId, fresh.userId, fresh.messageIds],
  );
}

/** Merged into `editedId`, or removed without one. */
async function takeOut(tx: Tx, ids: readonly string[], editedId: string | null, at: Date): Promise<number> {
  if (ids.length === 0) return 0;
  return tx.execute(
    `UPDATE app_memories SET state = $2, replaced_by = $3, updated_at = $4 WHERE id = ANY ($1) AND state = 'active'`,
    [ids, editedId === null ? 'removed' : 'superseded', editedId, at],
  );
}

async function countPool(tx: Tx, { appId, userId }: MadeAppMemory): Promise<number> {
  const [row] = await tx.query<{ active: number }>(
    `SELECT count(*)::integer AS active FROM ${poolTablesSql('$2')}
      WHERE a.app_id = $1 AND NOT ${RESTS_ON_HIDDEN_SQL}`,
    [appId, userId],
  );
  return row!.active;
}

/** Of one app and user, superseded or removed: what happened last can be looked up, and the table does not grow. */
const MAX_RETIRED = 10;

function deleteOldest(tx: Tx, { appId, userId }: MadeAppMemory): Promise<number> {
  return tx.execute(
    // What somebody else holds goes the next time: they may wait for the pool.
    `DELETE FROM app_memories d USING (
       SELECT r.id FROM app_memories r WHERE r.id IN (
         SELECT m.id FROM app_memories m
          WHERE m.app_id = $1 AND m.user_id = $2 AND m.state IN ('superseded', 'removed')
          ORDER BY m.updated_at DESC, m.id DESC OFFSET ${MAX_RETIRED})
          FOR UPDATE SKIP LOCKED) o
      WHERE d.id = o.id`,
    [appId, userId],
  );
}
