import type { WriteEvent } from '@annals/domain';
import type { Tx } from '../database/transaction.js';

/**
 * Records the events of a write in its transaction, which holds the user's row, in one statement. `now` is epoch ms.
 * Returns how many were recorded.
 */
export function insertEvents(
  tx: Tx,
  { userId, threadId }: { readonly userId: string | null; readonly threadId: string | null },
  events: readonly WriteEvent[],
  nextId: () => string,
  now: number,
): Promise<number> {
  return tx.execute(
    `INSERT INTO events (id, user_id, thread_id, node, op, status, memory_id, category, sim, ts)
     SELECT r.id, $2, $3, r.node, r.op, r.status, r.memory_id, r.category, r.sim, $4
       FROM json_to_recordset($1) AS r (id uuid, node text, op text, status text, memory_id uuid, category text,
                                        sim real)`,
    [
      JSON.stringify(events.map(({ memoryId, ...event }) => ({ ...event, id: nextId(), memory_id: memoryId }))),
      userId,
      threadId,
      new Date(now),
    ],
  );
}
