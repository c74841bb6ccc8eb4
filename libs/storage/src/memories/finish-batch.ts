import type { Tx } from '../database/transaction.js';

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
}

/** Completes a batch in the transaction that wrote its memories: state, counts, and deletion of its outbox row. */
export function finishBatch(tx: Tx, batch: AppliedBatch, counts: WriteCounts, now: number): Promise<number>[] {
  return [
    tx.execute(
      `UPDATE batches
          SET state = 'done', lease_until = NULL, finished_at = $2, revision = revision + 1, inserted = $3,
              updated = $4, skipped_duplicate = $5, quarantined = $6
        WHERE id = $1`,
      [batch.id, new Date(now), counts.inserted, counts.updated, counts.skippedDuplicate, counts.quarantined],
    ),
    tx.execute('DELETE FROM outbox WHERE batch_id = $1', [batch.id]),
  ];
}
