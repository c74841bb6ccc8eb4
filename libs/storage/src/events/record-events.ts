import type { Tx } from '../database/transaction.js';

/** An operational event as it is written (SYS §14): what was done, and nobody's words. */
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

/** Writes events in one statement. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  await tx.execute(
    `INSERT INTO events (id, user_id, thread_id, node, op, status, memory_id, category, sim, ts)
     SELECT r.id, r.user_id, r.thread_id, r.node, r.op, r.status, r.memory_id, r.category, r.sim, r.ts
       FROM json_to_recordset($1) AS r (id uuid, user_id text, thread_id text, node text, op text, status text,
                                        memory_id uuid, category text, sim real, ts timestamptz)`,
    [
      JSON.stringify(
        events.map(({ userId, threadId, memoryId, ts, ...event }) => ({
          ...event,
          user_id: userId,
          thread_id: threadId,
          memory_id: memoryId,
          ts: new Date(ts),
        })),
      ),
    ],
  );
}
