import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';

/** An operational event, without personal content (docs/reference/audit.md#operational-events). */
export interface NewEvent {
  readonly id: string;
  readonly userId: string | null;
  readonly threadId: string | null;
  readonly node: string;
  readonly op: string;
  readonly status: 'ok' | 'error' | 'skipped';
  readonly memoryId: string | null;
  readonly category: string | null;
  readonly sim: number | null;
  /** Epoch ms. */
  readonly ts: number;
}

/** Maximum clock difference between two gateways, as model calls assume too. */
const CLOCK_SKEW_MS = 5_000;

/** From reading a memory to reporting it: seconds, and reranking a minute at most (`ANNALS_RERANK_TIMEOUT_MS`). */
const MAX_QUERY_MS = 65_000;

/** So long after an erasure, events count as older than it: a lost one is harmless, a stored one names the user. */
export const MAX_EVENT_DELAY_MS = CLOCK_SKEW_MS + MAX_QUERY_MS;

/**
 * Writes a batch of events, possibly some time after they happened. Leaves out those of a user who was erased
 * meanwhile, or less than `MAX_EVENT_DELAY_MS` before the event, and all of them when the tenant was deleted. Waits for
 * a running erasure or deletion. One round trip.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const reported = events.map(({ userId, threadId, memoryId, ts, ...event }) => ({
    ...event,
    user_id: userId,
    pseudonym: userId === null ? null : tx.pseudonymOf(userId),
    thread_id: threadId,
    memory_id: memoryId,
    ts: new Date(ts),
  }));
  await allOf([
    // Separate statements, so that the last one sees what was committed while those before it waited for a lock. Only
    // erasures lock the row of a pseudonym: they would wait for each other and for this.
    tx.query('SELECT hold_tenant()'),
    tx.query('SELECT FROM users WHERE user_id = ANY ($1) ORDER BY user_id FOR KEY SHARE', [
      reported.flatMap((event) => event.user_id ?? []),
    ]),
    tx.execute(
      `INSERT INTO events (id, user_id, thread_id, node, op, status, memory_id, category, sim, ts)
       SELECT t.id, t.user_id, t.thread_id, t.node, t.op, t.status, t.memory_id, t.category, t.sim, t.ts
         FROM json_to_recordset($1) AS t (id uuid, user_id text, pseudonym text, thread_id text, node text, op text,
                                          status text, memory_id uuid, category text, sim real, ts timestamptz)
        WHERE NOT EXISTS (SELECT FROM users u WHERE u.user_id IN (t.user_id, t.pseudonym)
                                                AND t.ts <= u.erased_at + $2 * interval '1 millisecond')
          AND EXISTS (SELECT FROM tenants)`,
      [JSON.stringify(reported), MAX_EVENT_DELAY_MS],
    ),
  ]);
}

/**
 * Deletes the oldest events before `before` (epoch ms) in every tenant, at most `limit`. Returns how many were deleted.
 */
export async function purgeEvents(database: Database, before: number, limit: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_events', [new Date(before), limit]);
}
