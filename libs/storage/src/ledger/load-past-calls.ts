import type { Nullable, Tx } from '../database/transaction.js';
import type { CallAnswerEntity } from '../entities/model-answer.entity.js';
import type { UsageEntity } from '../entities/usage.entity.js';
import type { CallOutcome } from './call-outcomes.js';

/** One settled call for the extraction of a batch. */
export interface PastCall {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly outcome: CallOutcome;
  readonly generation: number | null;
  readonly costMicroUsd: number;
  /** Epoch ms at which it was settled. */
  readonly at: number;
  /** An answer that could not be parsed, and why. */
  readonly answer: string | null;
  readonly problem: string | null;
}

type PastCallRow = Pick<UsageEntity, 'id' | 'provider' | 'model' | 'outcome' | 'generation' | 'cost_micro_usd' | 'ts'> &
  Nullable<Pick<CallAnswerEntity, 'answer' | 'problem'>>;

/**
 * The extraction calls of the batch's current generation, oldest first, from which its attempts are counted. Includes
 * calls of previous generations whose unparsed answer is still stored.
 */
export async function loadPastCalls(tx: Tx, batchId: string): Promise<PastCall[]> {
  const rows = await tx.query<PastCallRow>(
    `SELECT u.id, u.provider, u.model, u.outcome, u.generation, u.cost_micro_usd, u.ts, a.answer, a.problem
       FROM usage u
       JOIN batches b ON b.tenant_id = u.tenant_id AND b.id = u.batch_id
       LEFT JOIN call_answers a ON a.tenant_id = u.tenant_id AND a.call_id = u.id
      WHERE u.batch_id = $1 AND u.operation = 'extraction'
        AND (u.generation = b.generation OR a.call_id IS NOT NULL)
      ORDER BY u.ts, u.id`,
    [batchId],
  );
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    model: row.model,
    outcome: row.outcome,
    generation: row.generation,
    costMicroUsd: Number(row.cost_micro_usd),
    at: row.ts.getTime(),
    answer: row.answer,
    problem: row.problem,
  }));
}
