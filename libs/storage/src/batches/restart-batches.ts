import type { IdGenerator } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import { rankAt } from '../work/postgres-work-store.js';

type OpenRow = Pick<BatchEntity, 'id' | 'generation' | 'trace' | 'priority'> & { readonly is_read: boolean };

/**
 * Extracts the batches of these conversations again that are under way: what was read of their messages no longer holds.
 * Nothing that runs can be committed, and no attempt counts. Those that nobody has read yet are locked as well: whoever
 * claims one meanwhile would read its messages as they were. The caller has locked the conversations.
 */
export async function restartBatches(
  tx: Tx,
  conversationIds: readonly string[],
  { now, ids }: { readonly now: number; readonly ids: IdGenerator },
): Promise<void> {
  if (conversationIds.length === 0) return;
  const open = await tx.query<OpenRow>(
    `SELECT b.id, b.generation, b.trace, b.priority,
            b.state IN ('extracting', 'persisting') OR EXISTS (SELECT FROM extractions e WHERE e.batch_id = b.id) AS is_read
       FROM batches b WHERE b.conversation_id = ANY ($1) AND b.state <> 'done' ORDER BY b.id FOR UPDATE OF b`,
    [conversationIds],
  );
  const running = open.filter((row) => row.is_read);
  if (running.length === 0) return;
  const batchIds = running.map(({ id }) => id);
  const rows = running.map(({ id, generation, trace, priority }) => ({
    work_id: ids.next(),
    id,
    generation: generation + 1,
    trace,
    rank_at: rankAt(now, priority),
  }));
  await allOf([
    tx.execute(
      `UPDATE batches
          SET state = CASE WHEN state = 'failed' THEN state ELSE 'queued' END, generation = generation + 1,
              fence = fence + 1, revision = revision + 1, attempts = 0, lease_until = NULL, extracted_at = NULL
        WHERE id = ANY ($1)`,
      [batchIds],
    ),
    tx.execute(`DELETE FROM work WHERE subject_id = ANY ($1) AND kind IN ('extraction', 'persistence')`, [batchIds]),
    tx.execute(
      `INSERT INTO work (id, kind, subject_id, generation, available_at, rank_at, trace, created_at)
       SELECT r.work_id, 'extraction', r.id, r.generation, $2, r.rank_at, r.trace, $2
         FROM json_to_recordset($1) AS r (work_id uuid, id uuid, generation integer, trace text, rank_at timestamptz)
         JOIN batches b ON b.id = r.id AND b.state = 'queued'`,
      [JSON.stringify(rows), new Date(now)],
    ),
  ]);
}
