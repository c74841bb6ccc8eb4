import type { WorkKindOf } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import { rankAt } from '../work/postgres-work-store.js';
import { STAGES } from './claim-batch.js';

/**
 * Marks a batch as failed with a reason (docs/reference/batches.md#batch-states) and deletes its work row. False when
 * the batch has ended or moved on in the meantime, to another generation or to the stage after `kind`. Reservations
 * that are still open remain so until they are settled or expire, since the calls cost money either way.
 */
export async function failBatch(
  tx: Tx,
  failure: {
    batchId: string;
    kind: WorkKindOf<'batch'>;
    generation: number;
    code: string;
    message: string;
    now: number;
  },
): Promise<boolean> {
  const failed = await tx.execute(
    `UPDATE batches
        SET state = 'failed', lease_until = NULL, fence = fence + 1, revision = revision + 1, finished_at = $3,
            sealed_at = coalesce(sealed_at, $3), error_code = $4, error_message = $5, deferred_until = NULL,
            deferred_reason = NULL, shortfall_micro_usd = NULL
      WHERE id = $1 AND generation = $2 AND state = ANY ($6)`,
    [
      failure.batchId,
      failure.generation,
      new Date(failure.now),
      failure.code,
      failure.message,
      STAGES[failure.kind].from,
    ],
  );
  if (failed === 0) return false;
  await tx.execute('DELETE FROM work WHERE subject_id = $1 AND kind = $2', [failure.batchId, failure.kind]);
  return true;
}

type ReplayRow = Pick<BatchEntity, 'state' | 'generation' | 'trace' | 'priority'> & { extracted: boolean };

/**
 * Queues a failed batch again under the next generation. A stored extraction is not repeated or paid for again: such a
 * batch resumes with persistence. Answers that could not be parsed are deleted, since a replay is meant to request new
 * ones.
 */
export async function replayBatch(
  tx: Tx,
  batchId: string,
  now: number,
  ids: IdGenerator,
): Promise<'replayed' | 'not_failed' | 'not_found'> {
  const [batch] = await tx.query<ReplayRow>(
    `SELECT b.state, b.generation, b.trace, b.priority,
            EXISTS (SELECT 1 FROM extractions e WHERE e.batch_id = b.id) AS extracted
       FROM batches b WHERE b.id = $1 FOR UPDATE OF b`,
    [batchId],
  );
  if (!batch) return 'not_found';
  if (batch.state !== 'failed') return 'not_failed';
  const at = new Date(now);
  await allOf([
    tx.execute(
      `UPDATE batches
          SET state = $2, generation = generation + 1, revision = revision + 1, attempts = 0, finished_at = NULL,
              lease_until = NULL, error_code = NULL, error_message = NULL
        WHERE id = $1`,
      [batchId, batch.extracted ? 'persisting' : 'queued'],
    ),
    tx.execute(
      `INSERT INTO work (id, kind, subject_id, generation, available_at, rank_at, trace, created_at)
       VALUES ($1, $2, $3, $4, $5, $7, $6, $5)`,
      [
        ids.next(),
        batch.extracted ? 'persistence' : 'extraction',
        batchId,
        batch.generation + 1,
        at,
        batch.trace,
        rankAt(now, batch.priority),
      ],
    ),
    tx.execute('DELETE FROM call_answers WHERE batch_id = $1', [batchId]),
  ]);
  return 'replayed';
}
