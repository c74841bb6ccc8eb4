import type { CategoryView, ThreadChange } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { ChangeLogEntity, ThreadRevisionEntity } from '../entities/change-log.entity.js';
import { type Bind, Binder } from '../query/binder.js';

/** Number of changes that a header is made of; further ones are only counted. */
const MAX_CHANGES = 500;

export interface ThreadChangesQuery {
  readonly userId: string;
  readonly threadId: string;
  /** The last revision that the caller has seen; null requests the revision only. */
  readonly since: number | null;
  readonly view: CategoryView;
}

export interface ThreadChanges {
  /** 0 when no change was recorded for the thread. */
  readonly revision: number;
  /** The latest changes, in the order in which they happened. */
  readonly changes: readonly ThreadChange[];
  /** Number of memories whose changes are all older than these. */
  readonly omitted: number;
}

interface WindowRow {
  revision: string;
  omitted: number;
  changes: ThreadChange[] | null;
}

/**
 * A thread's changes after a revision that concern the current or previous categories of the view, with the revision
 * that they lead to: one statement, so both are of one snapshot. Content is included only for memories that are served,
 * in a category of the view.
 */
export async function readThreadChanges(
  tx: Tx,
  { userId, threadId, since, view }: ThreadChangesQuery,
): Promise<ThreadChanges> {
  const { bind, values } = new Binder();
  const [user, thread] = [bind(userId), bind(threadId)];
  if (since === null) {
    const [row] = await tx.query<Pick<ThreadRevisionEntity, 'rev'>>(
      `SELECT rev FROM thread_revisions WHERE user_id = ${user} AND thread_id = ${thread}`,
      values,
    );
    return { revision: Number(row?.rev ?? 0), changes: [], omitted: 0 };
  }
  const [row] = await tx.query<WindowRow>(
    `WITH head AS MATERIALIZED (
       SELECT coalesce((SELECT rev FROM thread_revisions WHERE user_id = ${user} AND thread_id = ${thread}), 0) AS revision
     ), fresh AS MATERIALIZED (
       SELECT l.rev, l.n, l.memory_id, l.event, l.category, l.meta
         FROM change_log l, head
        WHERE l.user_id = ${user} AND l.thread_id = ${thread} AND l.rev > ${bind(since)} AND l.rev <= head.revision
          AND ${concernsViewSql('l', view, bind)}
     ), latest AS MATERIALIZED (
       SELECT *, ${CONTENT_MEMORY_ID_SQL} AS content_memory_id FROM fresh l ORDER BY rev DESC, n DESC LIMIT ${MAX_CHANGES}
     )
     SELECT head.revision,
            (SELECT count(DISTINCT memory_id)::integer FROM fresh WHERE memory_id NOT IN (SELECT memory_id FROM latest)) AS omitted,
            (SELECT json_agg(${changeJsonSql('l', view, bind)} ORDER BY l.rev, l.n) FROM latest l) AS changes
       FROM head`,
    values,
  );
  return { revision: Number(row!.revision), changes: row!.changes ?? [], omitted: row!.omitted };
}

/** Whether a row of change_log concerns a category of the view; the memory's previous category counts as well. */
function concernsViewSql(l: string, view: CategoryView, bind: Bind): string {
  const previousCategory = `${l}.meta ->> 'formerCategory'`;
  return `(${isInViewSql(`${l}.category`, view, bind)}
           OR (${previousCategory} IS NOT NULL AND ${isInViewSql(`(${previousCategory})`, view, bind)}))`;
}

function isInViewSql(category: string, { categories, exceptCategories }: CategoryView, bind: Bind): string {
  const names = `${bind(categories)}::text[]`;
  return `((${names} IS NULL OR ${category} = ANY (${names})) AND ${category} <> ALL (${bind(exceptCategories)}::text[]))`;
}

/**
 * The memory whose content is returned with a row `l` of change_log. It is read first, in a separate sub-select: under
 * a policy, PostgreSQL uses no index for a condition that contains a JSON operator, and would read all the tenant's
 * memories.
 */
const CONTENT_MEMORY_ID_SQL = `coalesce((l.meta ->> 'mergedInto')::uuid, l.memory_id)`;

/** A `ThreadChange` from a row of change_log that has CONTENT_MEMORY_ID_SQL as `content_memory_id`. */
function changeJsonSql(l: string, view: CategoryView, bind: Bind): string {
  return `json_build_object(
    'revision', ${l}.rev, 'n', ${l}.n, 'event', ${l}.event, 'memoryId', ${l}.memory_id, 'category', ${l}.category,
    'formerCategory', ${l}.meta -> 'formerCategory', 'importance', ${l}.meta -> 'importance',
    'replaces', ${l}.meta -> 'replaces', 'mergedInto', ${l}.meta -> 'mergedInto',
    'content', (SELECT m.content FROM memories m
                 WHERE m.id = ${l}.content_memory_id AND m.state = 'active'
                   AND ${isInViewSql('m.category', view, bind)}))`;
}

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
