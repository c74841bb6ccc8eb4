import type { CategoryView, ThreadChange } from '@annals/domain';
import { pageOf, readCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { Binder } from '../query/binder.js';
import { changeJson, concerns, TOLD_OF } from './read-thread-changes.js';

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

/** Every change of a thread after a revision that concerns the view, oldest first. Throws BadCursorError. */
export async function listThreadChanges(
  tx: Tx,
  { userId, threadId, since, view, limit, cursor }: ChangeListQuery,
): Promise<{ items: ListedChange[]; next_cursor: string | null }> {
  const after = readCursor(cursor, ['integer', 'integer']) ?? [since, Number.MAX_SAFE_INTEGER];
  const { bind, values } = new Binder();
  const rows = await tx.query<{ change: ThreadChange; ts: Date }>(
    `WITH page AS MATERIALIZED (
       SELECT l.*, ${TOLD_OF} AS told_of FROM change_log l
        WHERE l.user_id = ${bind(userId)} AND l.thread_id = ${bind(threadId)}
          AND (l.rev, l.n) > (${bind(after[0])}::bigint, ${bind(after[1])}::bigint) AND ${concerns('l', view, bind)}
        ORDER BY l.rev, l.n LIMIT ${bind(limit + 1)})
     SELECT ${changeJson('p', view, bind)} AS change, p.ts FROM page p ORDER BY p.rev, p.n`,
    values,
  );
  return pageOf(
    rows,
    limit,
    ({ change, ts }) => ({ ...change, ts: ts.toISOString() }),
    ({ change }) => [change.revision, change.n],
  );
}

/** Whether the user has such a thread: a conversation, or memories that were told to it. */
export async function isThread(tx: Tx, userId: string, threadId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 WHERE EXISTS (SELECT FROM conversations WHERE user_id = $1 AND thread_id = $2)
                 OR EXISTS (SELECT FROM thread_revisions WHERE user_id = $1 AND thread_id = $2)`,
    [userId, threadId],
  );
  return rows.length > 0;
}
