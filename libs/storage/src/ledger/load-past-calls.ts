import { defineRead } from '../database/set-statement.js';
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
  const rows = await tx.each(PAST_CALLS, { batch_id: batchId });
  return rows.map(({ id, provider, model, outcome, generation, answer, problem, cost_micro_usd, ts }) => {
    const call = { id, provider, model, outcome, generation, answer, problem };
    return { ...call, costMicroUsd: Number(cost_micro_usd), at: ts.getTime() };
  });
}

const PAST_CALLS = defineRead<{ batch_id: string }, CallRow & Pick<UsageEntity, 'cost_micro_usd' | 'ts'>>(
  'batch_id uuid',
  `SELECT u.id, u.provider, u.model, u.outcome, u.generation, u.cost_micro_usd, u.ts, a.answer, a.problem
     FROM usage u
     JOIN batches b ON b.tenant_id = u.tenant_id AND b.id = u.batch_id
     LEFT JOIN call_answers a ON a.tenant_id = u.tenant_id AND a.call_id = u.id
    WHERE u.batch_id = given.batch_id AND u.operation = 'extraction'
      AND (u.generation = b.generation OR a.call_id IS NOT NULL)
    ORDER BY u.ts, u.id`,
);
