import { makeStorable, type StoredDecision } from '@annals/domain';
import { defineRead } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { ReconciliationEntity } from '../entities/model-answer.entity.js';

/** One answer of a model about a batch's statements and their neighbours. */
export interface Reconciliation {
  readonly batchId: string;
  /** Counts from 1; a second round follows when the memories that the model was shown have changed. */
  readonly round: number;
  readonly userId: string;
  readonly provider: string;
  readonly model: string;
  readonly promptVersion: string;
  /** Every pair that the model was shown. */
  readonly shown: readonly Omit<StoredDecision, 'verdict'>[];
  /** The raw answer. */
  readonly answer: string;
  /** One for each pair; null when the answer could not be parsed. */
  readonly decisions: readonly StoredDecision[] | null;
  /** Epoch ms. */
  readonly now: number;
}

/** Stores an answer, so that it is paid for once. The first answer stays; without the batch, nothing is stored. */
export function storeReconciliation(tx: Tx, reconciliation: Reconciliation): Promise<number> {
  const { batchId, round, userId, provider, model, promptVersion, shown, answer, decisions, now } = reconciliation;
  return tx.execute(
    `INSERT INTO reconciliations (batch_id, round, user_id, provider, model, prompt_version, shown, answer, decisions,
                                  created_at)
     SELECT b.id, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM batches b WHERE b.id = $1
     ON CONFLICT DO NOTHING`,
    [
      batchId,
      round,
      userId,
      provider,
      model,
      promptVersion,
      JSON.stringify(shown),
      makeStorable(answer),
      decisions === null ? null : JSON.stringify(decisions),
      new Date(now),
    ],
  );
}

/** A batch's answers so far, in order. */
export interface PastReconciliation {
  readonly round: number;
  readonly decisions: readonly StoredDecision[] | null;
}

export async function loadReconciliations(tx: Tx, batchId: string): Promise<PastReconciliation[]> {
  const rows = await tx.each(RECONCILIATIONS, { batch_id: batchId });
  return rows.map(({ round, decisions }) => ({ round, decisions }));
}

const RECONCILIATIONS = defineRead<{ batch_id: string }, Pick<ReconciliationEntity, 'round' | 'decisions'>>(
  'batch_id uuid',
  'SELECT c.round, c.decisions FROM reconciliations c WHERE c.batch_id = given.batch_id ORDER BY c.round',
);
