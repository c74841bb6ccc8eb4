import type { ExtractedItem } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { insertUsage } from '../usage/insert-usage.js';

export interface ExtractionResult {
  readonly batchId: string;
  readonly fence: number;
  /** Epoch ms. */
  readonly now: number;
  readonly provider: string;
  readonly model: string;
  readonly notice: string | null;
  /** The provider's answer as it came. */
  readonly answer: string;
  /** What persistence is to write, in final order. */
  readonly items: readonly ExtractedItem[];
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly estimated: boolean;
    readonly costMicroUsd: number;
  };
  /** W3C traceparent of the work that follows. */
  readonly trace: string | null;
}

/**
 * Commits what a provider answered together with the outbox row for persistence (decision 31). `lost`: another worker
 * holds the batch by now and nothing was written.
 */
export async function completeExtraction(
  tx: Tx,
  result: ExtractionResult,
  ids: IdGenerator,
): Promise<'committed' | 'lost'> {
  const now = new Date(result.now);
  const { usage } = result;
  const [batch] = await tx.query<{ user_id: string; generation: number }>(
    `UPDATE batches
        SET state = 'persisting', lease_until = NULL, attempts = 0, revision = revision + 1, extracted_at = $3,
            provider = $4, model = $5, notice = $6, input_tokens = input_tokens + $7,
            output_tokens = output_tokens + $8, cost_micro_usd = cost_micro_usd + $9
      WHERE id = $1 AND fence = $2 AND state = 'extracting'
     RETURNING user_id, generation`,
    [
      result.batchId,
      result.fence,
      now,
      result.provider,
      result.model,
      result.notice,
      usage.inputTokens,
      usage.outputTokens,
      usage.costMicroUsd,
    ],
  );
  if (!batch) return 'lost';
  tx.atCommit(
    tx.execute(
      `INSERT INTO extractions (batch_id, user_id, provider, model, answer, items, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (tenant_id, batch_id) DO UPDATE
         SET provider = excluded.provider, model = excluded.model, answer = excluded.answer, items = excluded.items,
             created_at = excluded.created_at`,
      [result.batchId, batch.user_id, result.provider, result.model, result.answer, JSON.stringify(result.items), now],
    ),
    // The extraction's outbox row becomes persistence's: one row, one stage at a time.
    tx.execute(
      `UPDATE outbox
          SET id = $2, queue = 'persistence', generation = $3, available_at = $4, rank_at = $4, leased_until = NULL,
              released_at = NULL, checked_at = NULL, trace = coalesce($5, trace)
        WHERE batch_id = $1 AND queue = 'extraction'`,
      [result.batchId, ids.next(), batch.generation, now, result.trace],
    ),
    ...(usage.inputTokens + usage.outputTokens + usage.costMicroUsd > 0
      ? [
          insertUsage(tx, {
            ...usage,
            id: ids.next(),
            batchId: result.batchId,
            userId: batch.user_id,
            operation: 'extraction',
            provider: result.provider,
            model: result.model,
            now: result.now,
          }),
        ]
      : []),
  );
  return 'committed';
}

/** What extraction committed for a batch, and what it cost so far, or null. */
export async function loadExtraction(
  tx: Tx,
  batchId: string,
): Promise<{ provider: string; model: string; costMicroUsd: number; items: ExtractedItem[] } | null> {
  const [row] = await tx.query<{ provider: string; model: string; cost_micro_usd: string; items: ExtractedItem[] }>(
    `SELECT e.provider, e.model, e.items, b.cost_micro_usd
       FROM extractions e JOIN batches b ON b.tenant_id = e.tenant_id AND b.id = e.batch_id WHERE e.batch_id = $1`,
    [batchId],
  );
  if (!row) return null;
  return { provider: row.provider, model: row.model, costMicroUsd: Number(row.cost_micro_usd), items: row.items };
}
