import type { Tx } from '../database/transaction.js';
import { insertUsage } from '../usage/insert-usage.js';

/** The batch whose extracted memories a write applies. */
export interface AppliedBatch {
  readonly id: string;
  readonly fence: number;
  readonly generation: number;
  readonly usage: EmbeddingUsage | null;
}

/** What a write did, as a batch reports it. */
export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly skippedDuplicate: number;
  readonly quarantined: number;
}

/** What embedding a batch's contents cost. */
export interface EmbeddingUsage {
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly costMicroUsd: number;
  readonly estimated: boolean;
}

/** Ends a batch in the transaction that wrote its memories: state, counts, cost, and its work out of the outbox. */
export function finishBatch(
  tx: Tx,
  batch: AppliedBatch,
  userId: string,
  counts: WriteCounts,
  nextId: () => string,
  now: number,
): Promise<number>[] {
  const { usage } = batch;
  return [
    tx.execute(
      `UPDATE batches
          SET state = 'done', lease_until = NULL, finished_at = $2, revision = revision + 1, inserted = $3,
              updated = $4, skipped_duplicate = $5, quarantined = $6, cost_micro_usd = cost_micro_usd + $7
        WHERE id = $1`,
      [
        batch.id,
        new Date(now),
        counts.inserted,
        counts.updated,
        counts.skippedDuplicate,
        counts.quarantined,
        usage?.costMicroUsd ?? 0,
      ],
    ),
    tx.execute('DELETE FROM outbox WHERE batch_id = $1', [batch.id]),
    ...(usage && usage.inputTokens > 0
      ? [
          insertUsage(tx, {
            ...usage,
            id: nextId(),
            batchId: batch.id,
            userId,
            operation: 'embedding',
            outputTokens: 0,
            now,
          }),
        ]
      : []),
  ];
}
