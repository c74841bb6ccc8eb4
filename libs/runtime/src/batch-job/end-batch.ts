import type { BatchJob, QueueName } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { JobError } from '@annals/messaging';
import type { Logger, Metrics } from '@annals/observability';
import { type Database, failBatch } from '@annals/storage';
import { explainFailure } from './explain-failure.js';

export interface EndBatchDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc'>;
}

/** Records that a batch has failed in the stage of `queue`, and why. Does nothing when it has ended or moved on. */
export async function endBatch(
  { database, clock, logger, metrics }: EndBatchDependencies,
  queue: QueueName,
  { tenantId, batchId, generation }: BatchJob,
  jobError: JobError,
): Promise<void> {
  const { code, message } = explainFailure(jobError.code);
  const ended = await database.inTenant(tenantId, (tx) =>
    failBatch(tx, { batchId, queue, generation, code, message, now: clock.now() }),
  );
  if (!ended) return;
  metrics.inc('memory_llm_batches_total', { state: 'failed' });
  logger.warn('batch_failed', { tenantId, batchId, reason: code });
}
