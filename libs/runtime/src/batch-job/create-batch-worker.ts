import type { BatchJob, QueueName } from '@annals/contracts';
import { JobWorker } from '@annals/messaging';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { BatchStage } from './batch-stage.js';
import { endBatch } from './end-batch.js';
import { OwnWork } from './own-work.js';
import { runBatchJob } from './run-batch-job.js';

/** The consumer of one stage's queue. A job that ends without its work fails its batch, visibly and replayably. */
export function createBatchWorker<Input>(
  infrastructure: Infrastructure,
  stage: BatchStage<Input>,
): JobWorker<BatchJob> {
  const ownWork = new OwnWork(stage.atWork ?? stage.concurrency);
  const { queueBackend, clock, rng, logger, metrics } = infrastructure;
  return new JobWorker<BatchJob>({
    definition: stage.definition,
    backend: queueBackend,
    concurrency: stage.concurrency,
    handler: (job, context) => ownWork.run((aside) => runBatchJob(infrastructure, stage, job, context, aside)),
    onExhausted: (job, { fault }) => endBatch(infrastructure, stage.definition.name as QueueName, job, fault),
    clock,
    rng,
    logger,
    metrics,
  });
}
