import type { DeferredReason } from '@annals/contracts';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';

export interface Deferral {
  readonly batchId: string;
  readonly fence: number;
  readonly reason: DeferredReason;
  /** What the budget lacked for the call; null when it was not for money. */
  readonly shortfallMicroUsd: number | null;
  /** Epoch ms at which the batch is due again. */
  readonly until: number;
  /** Epoch ms. */
  readonly now: number;
}

/** As many calls as one provider's retries may be paid for nothing before a batch that opens its circuit waits longer. */
const MAX_FAILED_PAID_CALLS = 4;
/** Then its wait doubles with each further one, up to an hour: a call that never ends must not be bought all day long. */
const MIN_EXTRA_DELAY_MS = 30_000;
const MAX_EXTRA_DELAY_MS = 3_600_000;

/**
 * Puts a claimed batch back to wait until a time, without having used up an attempt
 * (docs/reference/batches.md#deferral-reasons). Deferring for a circuit begins its count of calls anew, so what was
 * paid in vain before makes it wait longer. Answers until when it waits, epoch ms; null when another worker holds it by
 * now and nothing was changed.
 */
export async function deferBatch(tx: Tx, deferral: Deferral): Promise<number | null> {
  const [deferred] = await tx.query<{ generation: number; deferred_until: Date }>(
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
      `UPDATE outbox
          SET generation = $2, available_at = $3, rank_at = $3::timestamptz - (available_at - rank_at),
              leased_until = NULL, released_at = NULL, checked_at = NULL
        WHERE batch_id = $1 AND queue = 'extraction'`,
      [deferral.batchId, deferred.generation, deferred.deferred_until],
    ),
  );
  return deferred.deferred_until.getTime();
}

/**
 * Makes batches due that wait for a reason that has gone, spread evenly over `spreadMs`: of one tenant, or of all for
 * null. What is due earlier stays so. Answers how many were moved.
 */
export async function wakeDeferredBatches(
  database: Database,
  wake: { tenantId: string | null; reason: DeferredReason; now: number; spreadMs: number },
): Promise<number> {
  const [row] = await database.callAcrossTenants<{ wake_deferred: number }>('wake_deferred($1, $2, $3, $4)', [
    wake.tenantId,
    wake.reason,
    new Date(wake.now),
    wake.spreadMs,
  ]);
  return row!.wake_deferred;
}

/**
 * The same for everyone whose budget was set in the last `withinMs`, once more: a batch that was refused by the old
 * limit may have been put off after the wake.
 */
export async function wakeBatchesAfterBudgetChange(
  database: Database,
  wake: { now: number; withinMs: number; spreadMs: number },
): Promise<number> {
  const [row] = await database.callAcrossTenants<{ wake_raised: number }>('wake_raised($1, $2, $3)', [
    new Date(wake.now),
    wake.withinMs,
    wake.spreadMs,
  ]);
  return row!.wake_raised;
}

/** Batches of all tenants that are deferred, by reason. */
export interface DeferredBatchStats {
  readonly reason: DeferredReason;
  readonly batches: number;
  /** What was lacking for each of them, added up. */
  readonly shortfallMicroUsd: number;
}

export async function readDeferredBatchStats(database: Database): Promise<DeferredBatchStats[]> {
  const rows = await database.callAcrossTenants<{
    reason: DeferredReason;
    batches: string;
    shortfall_micro_usd: string;
  }>('deferred_figures()');
  return rows.map((row) => ({
    reason: row.reason,
    batches: Number(row.batches),
    shortfallMicroUsd: Number(row.shortfall_micro_usd),
  }));
}

/** How many of the tenant's batches wait, whatever for. */
export async function countDeferredBatches(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ waiting: string }>(
    `SELECT count(*) AS waiting FROM batches WHERE deferred_reason IS NOT NULL AND state = 'deferred'`,
  );
  return Number(row!.waiting);
}
