import type { BatchJob, QueueName } from '@annals/contracts';
import { JobWorker } from '@annals/messaging';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { BatchStage } from './batch-stage.js';
import { endBatch } from './end-batch.js';
import { ConcurrencySlots } from './concurrency-slots.js';
import { runBatchJob } from './run-batch-job.js';

/** The consumer of the queue of one stage. A job that is exhausted fails its batch, which can be replayed. */
export function createBatchWorker<Input>(
  infrastructure: Infrastructure,
  stage: BatchStage<Input>,
): JobWorker<BatchJob> {
  const slots = new ConcurrencySlots(stage.concurrencySlots ?? stage.concurrency);
  const { queueBackend, clock, rng, logger, metrics } = infrastructure;
  return new JobWorker<BatchJob>({
    definition: stage.definition,
    backend: queueBackend,
    concurrency: stage.concurrency,
    handler: (job, context) =>
      slots.run((withoutSlot) => runBatchJob(infrastructure, stage, job, context, withoutSlot)),
    onExhausted: (job, { jobError }) => endBatch(infrastructure, stage.definition.name as QueueName, job, jobError),
    clock,
    rng,
    logger,
    metrics,
  });
}
