import type { ExtractedItem } from '@annals/contracts';
import { type IdGenerator, makeStorable } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ExtractionEntity } from '../entities/model-answer.entity.js';
import { rankAt } from '../work/postgres-work-store.js';
import { writeSettlement, type CallSettlement } from '../ledger/settle-reservation.js';

export interface ExtractionResult {
  readonly batchId: string;
  readonly fence: number;
  /** Epoch ms. */
  readonly now: number;
  readonly provider: string;
  readonly model: string;
  readonly notice: string | null;
  /** The provider's raw answer. */
  readonly answer: string;
  /** The items that persistence has to write, in final order. */
  readonly items: readonly ExtractedItem[];
  /** Settles the call of the answer in the same transaction. Null: nothing was reserved, or no call was made. */
  readonly settlement: CallSettlement | null;
  /** Version of the prompt that was sent; null when none was. */
  readonly promptVersion: string | null;
  /** How the answer was produced: selection, repairs. Contains no personal content. */
  readonly diagnostics: object | null;
  /** Messages left out of the prompt because others have a higher salience. */
  readonly prunedMessages: number;
  /** W3C traceparent of the next stage. */
  readonly trace: string | null;
}

/**
 * Commits a provider's answer together with the work row for persistence
 * (docs/reference/batches.md#a-paid-answer-is-durable). `lost`: another worker holds the batch now and nothing was
 * written; the caller still has to settle the call.
 */
export async function completeExtraction(
  tx: Tx,
  result: ExtractionResult,
  ids: IdGenerator,
): Promise<'committed' | 'lost'> {
  const now = new Date(result.now);
  const [batch] = await tx.query<Pick<BatchEntity, 'user_id' | 'generation' | 'priority'>>(
    `UPDATE batches
        SET state = 'persisting', lease_until = NULL, attempts = 0, revision = revision + 1, extracted_at = $3,
            provider = $4, model = $5, notice = $6, pruned_messages = $7
      WHERE id = $1 AND fence = $2 AND state = 'extracting'
     RETURNING user_id, generation, priority`,
    [result.batchId, result.fence, now, result.provider, result.model, result.notice, result.prunedMessages],
  );
  if (!batch) return 'lost';
  tx.atCommit(
    ...(result.settlement === null ? [] : [writeSettlement(tx, result.settlement)]),
    tx.execute(
      `WITH read AS (DELETE FROM call_answers WHERE batch_id = $1)
       INSERT INTO extractions (batch_id, user_id, provider, model, answer, items, prompt_version, diagnostics,
                                created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (tenant_id, batch_id) DO UPDATE
         SET provider = excluded.provider, model = excluded.model, answer = excluded.answer, items = excluded.items,
             prompt_version = excluded.prompt_version, diagnostics = excluded.diagnostics,
             created_at = excluded.created_at`,
      [
        result.batchId,
        batch.user_id,
        result.provider,
        result.model,
        makeStorable(result.answer),
        writeJson(result.items),
        result.promptVersion,
        result.diagnostics === null ? null : writeJson(result.diagnostics),
        now,
      ],
    ),
    // The extraction's work row becomes that of persistence: a batch has one row, for one stage at a time.
    tx.execute(
      `UPDATE work
          SET id = $2, kind = 'persistence', generation = $3, available_at = $4, rank_at = $6, leased_until = NULL,
              released_at = NULL, checked_at = NULL, trace = coalesce($5, trace)
        WHERE subject_id = $1 AND kind = 'extraction'`,
      [result.batchId, ids.next(), batch.generation, now, result.trace, rankAt(result.now, batch.priority)],
    ),
  );
  return 'committed';
}

/** A paid answer must not be lost because of a character that PostgreSQL cannot store. */
function writeJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? makeStorable(part) : part));
}

/** What extraction committed for a batch, and its cost so far, or null. */
export async function loadExtraction(
  tx: Tx,
  batchId: string,
): Promise<{ provider: string; model: string; costMicroUsd: number; items: ExtractedItem[] } | null> {
  const [row] = await tx.query<
    Pick<ExtractionEntity, 'provider' | 'model' | 'items'> & Pick<BatchEntity, 'cost_micro_usd'>
  >(
    `SELECT e.provider, e.model, e.items, b.cost_micro_usd
       FROM extractions e JOIN batches b ON b.tenant_id = e.tenant_id AND b.id = e.batch_id WHERE e.batch_id = $1`,
    [batchId],
  );
  if (!row) return null;
  return { provider: row.provider, model: row.model, costMicroUsd: Number(row.cost_micro_usd), items: row.items };
}
