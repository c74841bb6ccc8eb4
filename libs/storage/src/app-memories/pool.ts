import type { AppMemory } from '@annals/domain';
import type { App } from '../apps/app-registry.js';
import type { Tx } from '../database/transaction.js';
import type { AppMemoryEntity, AppMemoryState } from '../entities/app.entity.js';
import { columnsSql } from '../query/binder.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';

/** An app memory as it is stored. */
export interface StoredAppMemory extends AppMemory {
  readonly appId: string;
  /** Whose conversation it was made from. */
  readonly userId: string;
  readonly state: AppMemoryState;
  /** Last message of its conversation when it was made. */
  readonly asOfSeq: number;
  /** `local`, or the provider whose model made it. */
  readonly provider: string;
  readonly model: string | null;
  /** The conversation that it was made from, and those that were merged into it. */
  readonly sourceConversationIds: readonly string[];
}

const COLUMNS = [
  'id',
  'app_id',
  'user_id',
  'content',
  'state',
  'as_of_seq',
  'provider',
  'model',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof AppMemoryEntity)[];

export type AppMemoryRow = Pick<AppMemoryEntity, (typeof COLUMNS)[number]> & { readonly source_ids: string[] };

/** Of `app_memories m`. */
export const STORED_APP_MEMORY_SQL = `${columnsSql('m', COLUMNS)},
  ARRAY (SELECT DISTINCT o.conversation_id FROM app_memory_sources o WHERE o.app_memory_id = m.id ORDER BY 1) AS source_ids`;

export function toStoredAppMemory(row: AppMemoryRow): StoredAppMemory {
  return {
    id: row.id,
    appId: row.app_id,
    userId: row.user_id,
    content: row.content,
    state: row.state,
    asOfSeq: row.as_of_seq,
    provider: row.provider,
    model: row.model,
    sourceConversationIds: row.source_ids,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

/** SQL of whether a deletion hides a message that `app_memories m` rests on. */
export const RESTS_ON_HIDDEN_SQL = `EXISTS (
       SELECT FROM app_memory_sources o JOIN messages g ON g.tenant_id = o.tenant_id AND g.id = o.message_id
        WHERE o.tenant_id = m.tenant_id AND o.app_memory_id = m.id AND NOT ${IS_RECALLABLE_SQL})`;

/**
 * SQL of whether `app_memories m` is served: also when a process of the release before hid a message, and did not
 * withdraw what rests on it.
 */
export const IS_SERVED_SQL = `(m.state = 'active' AND NOT ${RESTS_ON_HIDDEN_SQL})`;

/** SQL of whether `app_memories m` rests on conversations of the user alone. `userId`: SQL of their id. */
export const isOfUserAloneSql = (userId: string) => `(m.user_id = ${userId} AND NOT EXISTS (
       SELECT FROM app_memory_sources o
        WHERE o.tenant_id = m.tenant_id AND o.app_memory_id = m.id AND o.user_id <> ${userId}))`;

/** SQL of whether `app_memories m` is in the pool of a shared app, by SQL of its id. */
const isInSharedPoolSql = (appId: string) => `(m.app_id = ${appId} AND m.state = 'active')`;

/**
 * The same for the pool of a user of an app that is not shared. What was merged while it was is in none: it has words of
 * others.
 */
const isInOwnPoolSql = (appId: string, userId: string) =>
  `(${isInSharedPoolSql(appId)} AND ${isOfUserAloneSql(userId)})`;

/**
 * SQL of the tables `a` and `m`: an installed app with its pool for a user. One branch for each kind of pool, since an
 * index by user takes no OR.
 */
export const poolTablesSql = (userId: string) => `apps a CROSS JOIN LATERAL (
       SELECT ${POOL_COLUMNS} FROM app_memories m WHERE a.is_shared AND ${isInSharedPoolSql('a.app_id')}
       UNION ALL
       SELECT ${POOL_COLUMNS} FROM app_memories m WHERE NOT a.is_shared AND ${isInOwnPoolSql('a.app_id', userId)}) m`;

/** What `STORED_APP_MEMORY_SQL` reads of a pool, with the columns of its conditions. */
const POOL_COLUMNS = columnsSql('m', ['tenant_id', ...COLUMNS]);

/** SQL and parameters of the condition on `app_memories m` for a pool of a known kind. */
function selectPool({ appId, isShared }: Pick<App, 'appId' | 'isShared'>, userId: string): [string, string[]] {
  return isShared ? [isInSharedPoolSql('$1'), [appId]] : [isInOwnPoolSql('$1', '$2'), [appId, userId]];
}

/** The memories that an app has for a user, oldest first. */
export async function loadAppMemoryPool(
  tx: Tx,
  app: Pick<App, 'appId' | 'isShared'>,
  userId: string,
): Promise<StoredAppMemory[]> {
  const [isInPool, parameters] = selectPool(app, userId);
  const rows = await tx.query<AppMemoryRow>(
    `SELECT ${STORED_APP_MEMORY_SQL} FROM app_memories m WHERE ${isInPool} AND NOT ${RESTS_ON_HIDDEN_SQL}
      ORDER BY m.created_at, m.id`,
    parameters,
  );
  return rows.map(toStoredAppMemory);
}

/**
 * Locks the memories that an app has for a user, and keeps out whoever would add one, until the end of the transaction.
 * The caller has locked the user and the conversation; then the app, then memories by id. False when the app was
 * uninstalled or its pool is another one since it was read: nothing may be written then.
 */
export async function lockAppMemoryPool(
  tx: Tx,
  app: Pick<App, 'appId' | 'isShared'>,
  userId: string,
): Promise<boolean> {
  // Writers of a pool of one user wait for each other by the user's row.
  const [row] = await tx.query<{ is_shared: boolean }>(
    `SELECT is_shared FROM apps WHERE app_id = $1 FOR ${app.isShared ? 'NO KEY UPDATE' : 'SHARE'}`,
    [app.appId],
  );
  if (row?.is_shared !== app.isShared) return false;
  const [isInPool, parameters] = selectPool(app, userId);
  await tx.query(`SELECT m.id FROM app_memories m WHERE ${isInPool} ORDER BY m.id FOR UPDATE`, parameters);
  return true;
}
