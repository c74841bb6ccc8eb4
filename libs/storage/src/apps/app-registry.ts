import { MAX_APP_MEMORIES } from '@annals/domain';
import { type Database } from '../database/database.js';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { AppEntity } from '../entities/app.entity.js';
import { columnsSql } from '../query/binder.js';

/** An app that is installed; times are epoch ms. */
export interface App {
  readonly appId: string;
  readonly name: string;
  /** One pool of memories for all users. */
  readonly isShared: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = ['app_id', 'name', 'is_shared', 'created_at', 'updated_at'] as const satisfies (keyof AppEntity)[];

export const appColumnsSql = (alias: string) => columnsSql(alias, COLUMNS);
export type AppRow = Pick<AppEntity, (typeof COLUMNS)[number]>;

export function toApp(row: AppRow): App {
  return {
    appId: row.app_id,
    name: row.name,
    isShared: row.is_shared,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

/** Null for an app that is not installed. */
export async function findApp(tx: Tx, appId: string): Promise<App | null> {
  const [row] = await tx.query<AppRow>(`SELECT ${appColumnsSql('a')} FROM apps a WHERE a.app_id = $1`, [appId]);
  return row ? toApp(row) : null;
}

/**
 * Installs an app, or changes it. `isShared` undefined: not for a new one, and as it is for one that is there. Who has
 * the pool of the app locked is waited for.
 */
export async function putApp(
  tx: Tx,
  {
    appId,
    name,
    isShared,
    now,
  }: { readonly appId: string; readonly name: string; readonly isShared: boolean | undefined; readonly now: number },
): Promise<App> {
  const [row] = await tx.query<AppRow>(
    `INSERT INTO apps AS a (app_id, name, is_shared, created_at, updated_at)
     VALUES ($1, $2, coalesce($3::boolean, false), $4, $4)
     ON CONFLICT (tenant_id, app_id)
     DO UPDATE SET name = excluded.name, is_shared = coalesce($3, a.is_shared), updated_at = excluded.updated_at
     RETURNING ${appColumnsSql('a')}`,
    [appId, name, isShared ?? null, new Date(now)],
  );
  return toApp(row!);
}

/** Whether more memories of an app are in use than one pool holds: sharing it would drop what is above. */
export async function hasMoreThanOnePool(tx: Tx, appId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM app_memories m WHERE m.app_id = $1 AND m.state = 'active' OFFSET ${MAX_APP_MEMORIES} LIMIT 1`,
    [appId],
  );
  return rows.length > 0;
}

/** The installed apps by id. Throws InvalidCursorError. */
export async function listApps(
  tx: Tx,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: App[]; readonly next_cursor: string | null }> {
  const after = parseCursor(cursor, ['text']);
  const rows = await tx.query<AppRow>(
    `SELECT ${appColumnsSql('a')} FROM apps a WHERE $1::text IS NULL OR a.app_id > $1 ORDER BY a.app_id LIMIT $2`,
    [after?.[0] ?? null, limit + 1],
  );
  return buildPage(rows, limit, toApp, (row) => [row.app_id]);
}

/** Apps that are installed, over all tenants, and those of them with an active memory. */
export async function countApps(
  database: Pick<Database, 'callAcrossTenants'>,
): Promise<{ readonly apps: number; readonly withMemories: number }> {
  const [row] = await database.callAcrossTenants<{ apps: string; with_memories: string }>('count_apps', []);
  return { apps: Number(row!.apps), withMemories: Number(row!.with_memories) };
}
