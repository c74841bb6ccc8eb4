import type { CategoryView, ThreadChange } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { ChangeLogEntity } from '../entities/change-log.entity.js';
import { Binder } from '../query/binder.js';
import { changeJsonSql, concernsViewSql, CONTENT_MEMORY_ID_SQL } from './read-thread-changes.js';

export interface ChangeListQuery {
  readonly userId: string;
  readonly threadId: string;
  readonly since: number;
  readonly view: CategoryView;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A change with its time, RFC 3339. */
export type ListedChange = ThreadChange & { readonly ts: string };

/** Every change of a thread after a revision that concerns the view, oldest first. Throws InvalidCursorError. */
export async function listThreadChanges(
  tx: Tx,
  { userId, threadId, since, view, limit, cursor }: ChangeListQuery,
): Promise<{ items: ListedChange[]; next_cursor: string | null }> {
  const after = parseCursor(cursor, ['integer', 'integer']) ?? [since, Number.MAX_SAFE_INTEGER];
  const { bind, values } = new Binder();
  const rows = await tx.query<Pick<ChangeLogEntity, 'ts'> & { change: ThreadChange }>(
    `WITH page AS MATERIALIZED (
       SELECT l.*, ${CONTENT_MEMORY_ID_SQL} AS content_memory_id FROM change_log l
        WHERE l.user_id = ${bind(userId)} AND l.thread_id = ${bind(threadId)}
          AND (l.rev, l.n) > (${bind(after[0])}::bigint, ${bind(after[1])}::bigint) AND ${concernsViewSql('l', view, bind)}
        ORDER BY l.rev, l.n LIMIT ${bind(limit + 1)})
     SELECT ${changeJsonSql('p', view, bind)} AS change, p.ts FROM page p ORDER BY p.rev, p.n`,
    values,
  );
  return buildPage(
    rows,
    limit,
    ({ change, ts }) => ({ ...change, ts: ts.toISOString() }),
    ({ change }) => [change.revision, change.n],
  );
}

/** Whether the user has this thread: a conversation, or memories whose changes were recorded for it. */
export async function threadExists(tx: Tx, userId: string, threadId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 WHERE EXISTS (SELECT FROM conversations WHERE user_id = $1 AND thread_id = $2)
                 OR EXISTS (SELECT FROM thread_revisions WHERE user_id = $1 AND thread_id = $2)`,
    [userId, threadId],
  );
  return rows.length > 0;
}
