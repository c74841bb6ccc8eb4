import type { BatchEnding, ClaimedBatch, Infrastructure } from '@annals/runtime';
import { deferBatch } from '@annals/storage';

/**
 * Defers a batch: it waits in the database, visibly and without using up an attempt
 * (docs/reference/circuit-breaker.md#deferral-while-the-circuit-is-open,
 * docs/reference/budgets.md#deferral-until-the-next-budget-day).
 */
export async function deferExtraction(
  { database, clock, logger, metrics }: Pick<Infrastructure, 'database' | 'clock' | 'logger' | 'metrics'>,
  { tenantId, batchId, fence }: ClaimedBatch,
  deferral: Extract<BatchEnding, { ends: 'deferred' }>,
): Promise<BatchEnding> {
  const { reason, shortfallMicroUsd, until: soonest } = deferral;
  const until = await database.inTenant(tenantId, (tx) =>
    deferBatch(tx, { batchId, fence, reason, shortfallMicroUsd, until: soonest, now: clock.now() }),
  );
  if (until === null) return { ends: 'superseded' };
  metrics.inc('memory_llm_batches_total', { state: 'deferred' });
  metrics.inc('memory_llm_deferrals_total', { reason });
  logger.info('batch_deferred', {
    tenantId,
    batchId,
    reason,
    until: new Date(until).toISOString(),
    ...(shortfallMicroUsd === null ? {} : { shortfall: shortfallMicroUsd }),
  });
  return deferral;
}
