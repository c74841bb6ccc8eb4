import type { Tx } from '../database/transaction.js';

/** What one paid or free call of a model used, for one batch of one user. */
export interface Usage {
  readonly id: string;
  readonly batchId: string;
  readonly userId: string;
  readonly operation: 'extraction' | 'embedding';
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
  /** The provider told no figures: these are ours. */
  readonly estimated: boolean;
  /** Epoch ms; its UTC day is the day that is charged. */
  readonly now: number;
}

/** Writes what a call used into the ledger, in the transaction that uses its answer. */
export function insertUsage(tx: Tx, usage: Usage): Promise<number> {
  return tx.execute(
    `INSERT INTO usage (id, batch_id, user_id, operation, provider, model, input_tokens, output_tokens,
                        cost_micro_usd, estimated, day, ts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::timestamptz AT TIME ZONE 'UTC', $11)`,
    [
      usage.id,
      usage.batchId,
      usage.userId,
      usage.operation,
      usage.provider,
      usage.model,
      usage.inputTokens,
      usage.outputTokens,
      usage.costMicroUsd,
      usage.estimated,
      new Date(usage.now),
    ],
  );
}
