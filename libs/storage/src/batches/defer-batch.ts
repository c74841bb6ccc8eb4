import type { DeferredReason } from '@annals/contracts';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';

export interface Deferral {
  readonly batchId: string;
  readonly fence: number;
  readonly reason: DeferredReason;
  /** Budget that was missing for the call; null when the deferral is not about money. */
  readonly shortfallMicroUsd: number | null;
  /** Epoch ms at which the batch is due again. */
  readonly until: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Failed calls that one provider's retries may pay for before a batch that opens its circuit breaker waits longer. */
const MAX_FAILED_PAID_CALLS = 4;
/** Beyond that, the wait doubles with each call, up to an hour: no call that never ends is paid for all day. */
const MIN_EXTRA_DELAY_MS = 30_000;
const MAX_EXTRA_DELAY_MS = 3_600_000;

/**
 * Defers a claimed batch until a time, without using up an attempt (docs/reference/batches.md#deferral-reasons). A
 * deferral for an open circuit restarts the count of calls, so earlier paid calls that failed make the batch wait
 * longer. Returns the time until which it waits, in epoch ms; null when another worker holds it now and nothing was
 * changed.
 */
export async function deferBatch(tx: Tx, deferral: Deferral): Promise<number | null> {
  const [deferred] = await tx.query<Pick<BatchEntity, 'generation'> & { deferred_until: Date }>(
    `UPDATE batches
        SET state = 'deferred', generation = generation + 1, attempts = greatest(attempts - 1, 0), lease_until = NULL,
            revision = revision + 1, deferred_reason = $4, shortfall_micro_usd = $5,
            deferred_until = $3::timestamptz + interval '1 millisecond' * CASE WHEN $4 <> 'circuit_open' THEN 0 ELSE (
              SELECT CASE WHEN count(*) <= ${MAX_FAILED_PAID_CALLS} THEN 0
                     ELSE least(${MIN_EXTRA_DELAY_MS} * 2 ^ least(count(*) - ${MAX_FAILED_PAID_CALLS + 1}, 20), ${MAX_EXTRA_DELAY_MS}) END
                FROM usage u
               WHERE u.batch_id = $1 AND u.operation = 'extraction' AND u.cost_micro_usd > 0
                 AND u.outcome IN ('timeout', 'transient', 'lost')) END
      WHERE id = $1 AND fence = $2 AND state = 'extracting' AND lease_until IS NOT NULL
     RETURNING generation, deferred_until`,
    [deferral.batchId, deferral.fence, new Date(deferral.until), deferral.reason, deferral.shortfallMicroUsd],
  );
  if (!deferred) return null;
  tx.atCommit(
    tx.execute(
      `UPDATE work
          SET generation = $2, available_at = $3, rank_at = $3::timestamptz - (available_at - rank_at),
              is_scheduled = true, leased_until = NULL, released_at = NULL, checked_at = NULL
        WHERE subject_id = $1 AND kind = 'extraction'`,
      [deferral.batchId, deferred.generation, deferred.deferred_until],
    ),
  );
  return deferred.deferred_until.getTime();
}

/**
 * Makes batches due that wait for a reason that no longer applies, spread evenly over `spreadMs`: of one tenant, or of
 * all for null. What is due earlier stays so. Returns how many were moved.
 */
export async function wakeDeferredBatches(
  database: Database,
  wake: { tenantId: string | null; reason: DeferredReason; now: number; spreadMs: number },
): Promise<number> {
  const parameters = [wake.tenantId, wake.reason, new Date(wake.now), wake.spreadMs];
  return database.callScalarAcrossTenants<number>('wake_deferred', parameters);
}

/** Again for tenants whose budget was set in the last `withinMs`: a refused batch may have been deferred later. */
export async function wakeBatchesAfterBudgetChange(
  database: Database,
  wake: { now: number; withinMs: number; spreadMs: number },
): Promise<number> {
  const parameters = [new Date(wake.now), wake.withinMs, wake.spreadMs];
  return database.callScalarAcrossTenants<number>('wake_raised', parameters);
}

/** Deferred batches of all tenants, by reason. */
export interface DeferredBatchStats {
  readonly reason: DeferredReason;
  readonly batches: number;
  /** Sum of the missing budgets. */
  readonly shortfallMicroUsd: number;
}

export async function readDeferredBatchStats(database: Database): Promise<DeferredBatchStats[]> {
  const rows = await database.callAcrossTenants<{
    reason: DeferredReason;
    batches: string;
    shortfall_micro_usd: string;
  }>('deferred_figures');
  return rows.map((row) => ({
    reason: row.reason,
    batches: Number(row.batches),
    shortfallMicroUsd: Number(row.shortfall_micro_usd),
  }));
}

/** Number of the tenant's deferred batches, for any reason. */
export async function countDeferredBatches(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ waiting: string }>(
    `SELECT count(*) AS waiting FROM batches WHERE deferred_reason IS NOT NULL AND state = 'deferred'`,
  );
  return Number(row!.waiting);
}
