import type { JobOutcome } from '@annals/messaging';
import type { ClaimedBatch, Infrastructure } from '@annals/runtime';
import { deferBatch } from '@annals/storage';
import type { ModelCallOutcome } from './call-model/model-answer.js';

type Deferral = Extract<ModelCallOutcome, { outcome: 'deferred' }>;

/**
 * Defers a batch: it waits in the database, visibly and without using up an attempt
 * (docs/reference/circuit-breaker.md#deferral-while-the-circuit-is-open,
 * docs/reference/budgets.md#deferral-until-the-next-budget-day).
 */
export async function deferExtraction(
  { database, clock, logger, metrics }: Pick<Infrastructure, 'database' | 'clock' | 'logger' | 'metrics'>,
  { tenantId, batchId, fence }: ClaimedBatch,
  { reason, until: soonest, shortfallMicroUsd }: Deferral,
): Promise<JobOutcome> {
  const deferral = { batchId, fence, reason, shortfallMicroUsd, until: soonest, now: clock.now() };
  const until = await database.inTenant(tenantId, (tx) => deferBatch(tx, deferral));
  if (until === null) return 'skipped';
  metrics.inc('memory_llm_batches_total', { state: 'deferred' });
  metrics.inc('memory_llm_deferrals_total', { reason });
  logger.info('batch_deferred', {
    tenantId,
    batchId,
    reason,
    until: new Date(until).toISOString(),
    ...(shortfallMicroUsd === null ? {} : { shortfall: shortfallMicroUsd }),
  });
  return 'deferred';
}
