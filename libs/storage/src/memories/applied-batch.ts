import type { ChangeResult } from '@annals/domain';
import { defineRead, defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import { failBatch } from '../batches/fail-and-replay.js';

/** The batch whose extracted memories a write applies. */
export interface AppliedBatch {
  readonly id: string;
  readonly fence: number;
  readonly generation: number;
}

/** Result of a write, as reported for a batch. */
export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly skippedDuplicate: number;
  readonly quarantined: number;
  /** Of what was inserted: memories that took the place of an earlier one. */
  readonly superseded: number;
}

/** Counts as reported for a batch: merges and restorations are updates, refusals are duplicates. */
export function countOutcomes(results: readonly ChangeResult[]): WriteCounts {
  const of = (...outcomes: ChangeResult['outcome'][]) =>
    results.filter((result) => outcomes.includes(result.outcome)).length;
  return {
    inserted: of('inserted', 'inserted_ended', 'superseded'),
    updated: of('updated', 'merged', 'restored', 'deleted'),
    skippedDuplicate: of('unchanged', 'suppressed'),
    quarantined: of('quarantined'),
    superseded: of('superseded'),
  };
}

/** Completes a batch in the transaction that wrote its memories: state, counts, and deletion of its work row. */
export function finishBatch(tx: Tx, batch: AppliedBatch, counts: WriteCounts, now: number): Promise<unknown>[] {
  const { inserted, updated, skippedDuplicate: skipped_duplicate, quarantined } = counts;
  return [
    tx.each(FINISH_BATCH, {
      batch_id: batch.id,
      finished_at: new Date(now),
      inserted,
      updated,
      skipped_duplicate,
      quarantined,
    }),
  ];
}

interface FinishGiven extends Pick<WriteCounts, 'inserted' | 'updated' | 'quarantined'> {
  readonly batch_id: string;
  readonly finished_at: Date;
  readonly skipped_duplicate: number;
}

const FINISH_BATCH = defineSet<FinishGiven>(
  `batch_id uuid, finished_at timestamptz, inserted integer, updated integer, skipped_duplicate integer,
   quarantined integer`,
  `DELETE FROM work w USING given WHERE w.subject_id = given.batch_id AND w.kind = 'persistence'`,
  `finished AS (
     UPDATE batches b
        SET state = 'done', lease_until = NULL, finished_at = given.finished_at, revision = b.revision + 1,
            inserted = given.inserted, updated = given.updated, skipped_duplicate = given.skipped_duplicate,
            quarantined = given.quarantined
       FROM given WHERE b.id = given.batch_id
   )`,
);

type LockedBatch = Pick<BatchEntity, 'state' | 'fence' | 'accepted_at'> & Pick<ConversationEntity, 'thread_id'>;

export async function lockBatch(tx: Tx, id: string): Promise<LockedBatch | null> {
  const [row] = await tx.each(LOCK_BATCH, { batch_id: id });
  return row ?? null;
}

const LOCK_BATCH = defineRead<{ batch_id: string }, LockedBatch>(
  'batch_id uuid',
  `SELECT b.state, b.fence, b.accepted_at,
          (SELECT c.thread_id FROM conversations c WHERE c.id = b.conversation_id) AS thread_id
     FROM batches b WHERE b.id = given.batch_id FOR UPDATE OF b`,
);

export function checkBatch(
  claimed: AppliedBatch,
  batch: LockedBatch | null,
  erasedAt: number | null,
): 'already_applied' | 'lost' | 'erased' | null {
  // Deleted with its user, or with its conversation only.
  if (!batch) return erasedAt === null ? 'lost' : 'erased';
  if (batch.state === 'done') return 'already_applied';
  if (batch.state !== 'persisting' || Number(batch.fence) !== claimed.fence) return 'lost';
  return erasedAt !== null && batch.accepted_at.getTime() <= erasedAt ? 'erased' : null;
}

export async function failErased(tx: Tx, batch: AppliedBatch, now: number): Promise<void> {
  await failBatch(tx, {
    batchId: batch.id,
    kind: 'persistence',
    generation: batch.generation,
    code: 'erased',
    message: 'The user was erased after this batch had been accepted. Nothing was stored.',
    now,
  });
}
