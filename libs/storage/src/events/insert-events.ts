import type { WriteEvent } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/**
 * Records the events of a write in its transaction, which holds the user's row, in one statement. `now` is epoch ms.
 */
export function insertEvents(
  tx: Tx,
  { userId, threadId }: { readonly userId: string | null; readonly threadId: string | null },
  events: readonly WriteEvent[],
  nextId: () => string,
  now: number,
): Promise<unknown> {
  return tx.each(INSERT_EVENTS, {
    rows: events.map(({ memoryId, ...event }) => ({ ...event, id: nextId(), memory_id: memoryId })),
    user_id: userId,
    thread_id: threadId,
    ts: new Date(now),
  });
}

interface EventsGiven {
  readonly rows: readonly object[];
  readonly user_id: string | null;
  readonly thread_id: string | null;
  readonly ts: Date;
}

const INSERT_EVENTS = defineSet<EventsGiven>(
  'rows json, user_id text, thread_id text, ts timestamptz',
  `INSERT INTO events (id, user_id, thread_id, node, op, status, memory_id, category, sim, ts)
   SELECT r.id, given.user_id, given.thread_id, r.node, r.op, r.status, r.memory_id, r.category, r.sim, given.ts
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (id uuid, node text, op text, status text, memory_id uuid, category text, sim real)`,
);
