import { MAX_APP_MEMORIES } from '@annals/domain';
import { type App, appColumnsSql, type AppRow, toApp } from '../apps/app-registry.js';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import { Binder } from '../query/binder.js';
import {
  type AppMemoryRow,
  IS_SERVED_SQL,
  isOfUserAloneSql,
  poolTablesSql,
  RESTS_ON_HIDDEN_SQL,
  STORED_APP_MEMORY_SQL,
  type StoredAppMemory,
  toStoredAppMemory,
} from './pool.js';

/** What the key of a caller is bound to; null is no restriction. */
export interface AppMemoryView {
  /** Memories that rest on conversations of this user alone. */
  readonly userId: string | null;
  /** Memories that rest on conversations alone that this agent began. */
  readonly agentId: string | null;
}

/** SQL of whether `app_memories m` rests only on conversations that the agent began. `agentId`: SQL of its id. */
const isOfAgentAloneSql = (agentId: string) => `NOT EXISTS (
       SELECT FROM app_memory_sources o JOIN conversations c ON c.tenant_id = o.tenant_id AND c.id = o.conversation_id
        WHERE o.tenant_id = m.tenant_id AND o.app_memory_id = m.id AND c.agent_id IS DISTINCT FROM ${agentId})`;

function bindView(binder: Binder, { userId, agentId }: AppMemoryView): void {
  binder.where(isOfUserAloneSql, userId ?? undefined);
  binder.where(isOfAgentAloneSql, agentId ?? undefined);
}

/**
 * Active memories of an app, installed or not, the newest first. `userId`: those that rest on a conversation of the user.
 * Throws InvalidCursorError.
 */
export async function listAppMemories(
  tx: Tx,
  appId: string,
  {
    userId,
    view,
    limit,
    cursor,
  }: {
    readonly userId?: string | undefined;
    readonly view: AppMemoryView;
    readonly limit: number;
    readonly cursor?: string | undefined;
  },
): Promise<{ readonly items: StoredAppMemory[]; readonly next_cursor: string | null }> {
  const before = parseCursor(cursor, ['uuid']);
  const binder = new Binder();
  binder.where((p) => `m.app_id = ${p}`, appId);
  binder.where((p) => `m.id < ${p}`, before?.[0]);
  binder.where((p) => `m.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.user_id = ${p})`, userId);
  bindView(binder, view);
  const rows = await tx.query<AppMemoryRow>(
    `SELECT ${STORED_APP_MEMORY_SQL} FROM app_memories m
      WHERE ${binder.whereSql()} AND ${IS_SERVED_SQL} ORDER BY m.id DESC LIMIT ${binder.bind(limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, limit, toStoredAppMemory, (row) => [row.id]);
}

/** Whether an app has this memory, active, for who asks. */
export async function hasAppMemory(
  tx: Tx,
  { appId, id, view }: { readonly appId: string; readonly id: string; readonly view: AppMemoryView },
): Promise<boolean> {
  const binder = new Binder();
  binder.where((p) => `m.app_id = ${p}`, appId);
  binder.where((p) => `m.id = ${p}`, id);
  bindView(binder, view);
  const rows = await tx.query(
    `SELECT FROM app_memories m WHERE ${binder.whereSql()} AND m.state = 'active'`,
    binder.values,
  );
  return rows.length > 0;
}

export interface AppContextQuery {
  readonly appId: string;
  readonly userId: string;
  /** Only memories that rest on conversations alone that this agent began; null: all. */
  readonly agentId: string | null;
  /** The conversation that the context is for. */
  readonly conversationId: string | null;
}

export interface StoredAppContext {
  readonly app: App;
  /** At most as many as an app may have, the latest change first: a pool that was just shared can have more. */
  readonly memories: readonly StoredAppMemory[];
  /** Null without a conversation, or when the app, user or agent has none with this id. */
  readonly conversation: { readonly isInjected: boolean } | null;
}

/** What an app knows when a conversation with a user begins. Null for an app that is not installed. One round trip. */
export async function readAppContext(
  tx: Tx,
  { appId, userId, agentId, conversationId }: AppContextQuery,
): Promise<StoredAppContext | null> {
  const binder = new Binder();
  const pool = poolTablesSql(binder.bind(userId));
  binder.where((p) => `a.app_id = ${p}`, appId);
  bindView(binder, { userId: null, agentId });
  const [[row], memories] = await allOf([
    tx.query<AppRow & { is_injected: boolean | null }>(
      `SELECT ${appColumnsSql('a')},
              (SELECT c.memories_injected_at IS NOT NULL FROM conversations c
                WHERE c.id = $2 AND c.app_id = $1 AND c.user_id = $3 AND ($4::text IS NULL OR c.agent_id = $4)
              ) AS is_injected
         FROM apps a WHERE a.app_id = $1`,
      [appId, conversationId, userId, agentId],
    ),
    tx.query<AppMemoryRow>(
      `SELECT ${STORED_APP_MEMORY_SQL} FROM ${pool}
        WHERE ${binder.whereSql()} AND NOT ${RESTS_ON_HIDDEN_SQL}
        ORDER BY m.updated_at DESC, m.created_at DESC, m.id DESC LIMIT ${MAX_APP_MEMORIES}`,
      binder.values,
    ),
  ]);
  if (!row) return null;
  return {
    app: toApp(row),
    memories: memories.map(toStoredAppMemory),
    conversation: row.is_injected === null ? null : { isInjected: row.is_injected },
  };
}

/**
 * Counts a conversation as one with memories injected. True the first time. Does not wait for whoever holds it: then the
 * next context of it counts.
 */
export async function markMemoriesInjected(tx: Tx, conversationId: string, now: number): Promise<boolean> {
  const marked = await tx.execute(
    `UPDATE conversations SET memories_injected_at = $2 WHERE id = (
       SELECT c.id FROM conversations c WHERE c.id = $1 AND c.memories_injected_at IS NULL
          FOR NO KEY UPDATE SKIP LOCKED)`,
    [conversationId, new Date(now)],
  );
  return marked === 1;
}
