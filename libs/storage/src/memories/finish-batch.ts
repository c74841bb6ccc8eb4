import type { Tx } from '../database/transaction.js';
import type { AppliedBatch, WriteCounts } from './write-memories.js';

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
          tx.execute(
            `INSERT INTO usage (id, batch_id, user_id, operation, provider, model, input_tokens, output_tokens,
                                cost_micro_usd, estimated, day, ts)
             VALUES ($1, $2, $3, 'embedding', $4, $5, $6, 0, $7, $8, $9::timestamptz AT TIME ZONE 'UTC', $9)`,
            [
              nextId(),
              batch.id,
              userId,
              usage.provider,
              usage.model,
              usage.inputTokens,
              usage.costMicroUsd,
              usage.estimated,
              new Date(now),
            ],
          ),
        ]
      : []),
  ];
}
