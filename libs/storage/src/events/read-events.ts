import type { CountEventsQuery, EventCounts, EventPage, ListEventsQuery } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { EventEntity } from '../entities/event.entity.js';
import { Binder } from '../query/binder.js';

/**
 * Restriction of a caller to some of a tenant's events: null for all users, all categories. How near a statement is to
 * what is stored was measured in all categories, so callers with some of them learn neither the similarity nor whether a
 * write found something similar.
 */
export interface EventView {
  readonly userId: string | null;
  readonly categories: readonly string[] | null;
}

type Filters = Omit<ListEventsQuery, 'limit' | 'cursor'>;

/** Ids contain the event's time, from clocks that may differ a little, so a time filter can use the primary key. */
const CLOCK_SLACK_MS = 60 * 60 * 1_000;

/** SQL of whether an event exists or has its status by what a write found similar. A query has the node `context`. */
const IS_COMPARISON_SQL = "(op = 'link' OR op = 'search' AND node <> 'context')";

/** Events by filters, newest first. Throws InvalidCursorError. */
export async function listEvents(tx: Tx, query: ListEventsQuery, view: EventView): Promise<EventPage> {
  const before = parseCursor(query.cursor, ['uuid']);
  const binder = bindFilters(query, view);
  binder.where((p) => `id < ${p}`, before?.[0]);
  const rows = await tx.query<Omit<EventEntity, 'tenant_id'>>(
    `SELECT id, user_id, thread_id, node, op, status, memory_id, category, sim, ts FROM events
      WHERE ${binder.whereSql()} ORDER BY id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(
    rows,
    query.limit,
    (row) => ({ ...row, sim: view.categories === null ? row.sim : null, ts: row.ts.toISOString() }),
    (row) => [row.id],
  );
}

/** Number of events by node, operation and status, in each interval of the requested period. */
export async function countEvents(
  tx: Tx,
  { interval, ...filters }: CountEventsQuery & { readonly after: string; readonly before: string },
  view: EventView,
): Promise<EventCounts> {
  const binder = bindFilters(filters, view);
  const from = interval === 'all' ? 'NULL::timestamptz' : `date_trunc('${interval}', ts, 'UTC')`;
  const rows = await tx.query<Pick<EventEntity, 'node' | 'op' | 'status'> & { from: Date | null; count: number }>(
    `SELECT ${from} AS from, node, op, status, count(*)::integer AS count FROM events
      WHERE ${binder.whereSql()} GROUP BY 1, node, op, status ORDER BY 1, node, op, status`,
    binder.values,
  );
  return {
    after: filters.after,
    before: filters.before,
    items: rows.map((row) => ({ ...row, from: row.from?.toISOString() ?? null })),
  };
}

function bindFilters(filters: Filters, view: EventView): Binder {
  const binder = new Binder();
  for (const column of ['user_id', 'thread_id', 'node', 'op', 'status', 'memory_id', 'category'] as const) {
    binder.where((p) => `${column} = ${p}`, filters[column]);
  }
  binder.where((p) => `ts >= ${p}`, filters.after);
  binder.where((p) => `id >= ${p}::uuid`, filters.after === undefined ? null : firstIdOf(filters.after));
  binder.where((p) => `ts < ${p}`, filters.before);
  binder.where((p) => `user_id = ${p}`, view.userId);
  // An event of a memory without a category belongs to a deleted memory, whose category is unknown.
  binder.where(
    (p) => `(category = ANY (${p}) OR (category IS NULL AND memory_id IS NULL)) AND NOT ${IS_COMPARISON_SQL}`,
    view.categories,
  );
  return binder;
}

/** The smallest UUIDv7 of one hour before the time. */
function firstIdOf(instant: string): string {
  const ms = Math.max(0, Date.parse(instant) - CLOCK_SLACK_MS);
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
