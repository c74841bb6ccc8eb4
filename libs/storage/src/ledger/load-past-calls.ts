import type { Nullable, Tx } from '../database/transaction.js';
import type { CallAnswerEntity } from '../entities/model-answer.entity.js';
import type { UsageEntity } from '../entities/ledger.entity.js';

/** One settled call for the extraction of a batch. */
export interface PastCall extends CallRow {
  readonly costMicroUsd: number;
  /** Epoch ms at which it was settled. */
  readonly at: number;
}

/** `answer`, `problem`: of a call whose answer could not be parsed, and why. */
type CallRow = Readonly<
  Pick<UsageEntity, 'id' | 'provider' | 'model' | 'outcome' | 'generation'> &
    Nullable<Pick<CallAnswerEntity, 'answer' | 'problem'>>
>;

/**
 * The extraction calls of the batch's current generation, oldest first, from which its attempts are counted. Includes
 * calls of previous generations whose unparsed answer is still stored.
 */
export async function loadPastCalls(tx: Tx, batchId: string): Promise<PastCall[]> {
  const rows = await tx.query<CallRow & Pick<UsageEntity, 'cost_micro_usd' | 'ts'>>(
    `SELECT u.id, u.provider, u.model, u.outcome, u.generation, u.cost_micro_usd, u.ts, a.answer, a.problem
       FROM usage u
       JOIN batches b ON b.tenant_id = u.tenant_id AND b.id = u.batch_id
       LEFT JOIN call_answers a ON a.tenant_id = u.tenant_id AND a.call_id = u.id
      WHERE u.batch_id = $1 AND u.operation = 'extraction'
        AND (u.generation = b.generation OR a.call_id IS NOT NULL)
      ORDER BY u.ts, u.id`,
    [batchId],
  );
  return rows.map(({ cost_micro_usd, ts, ...row }) => {
    return { ...row, costMicroUsd: Number(cost_micro_usd), at: ts.getTime() };
  });
}
