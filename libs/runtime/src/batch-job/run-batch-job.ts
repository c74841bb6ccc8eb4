import type { WorkJob } from '@annals/contracts';
import { type JobContext, type JobOutcome, JobWorker } from '@annals/messaging';
import { claimBatch, releaseBatch, renewLease } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { ConcurrencySlots, type WithoutSlot } from '../leased-job/concurrency-slots.js';
import { type LeasedJobDependencies, runLeasedJob } from '../leased-job/run-leased-job.js';
import type { BatchStage, ClaimedBatch } from './batch-stage.js';
import { endBatch } from './end-batch.js';

/** The consumer of the queue of one stage. A job that is exhausted fails its batch, which can be replayed. */
export function createBatchWorker<Input>(infrastructure: Infrastructure, stage: BatchStage<Input>): JobWorker<WorkJob> {
  const slots = new ConcurrencySlots(stage.concurrencySlots ?? stage.concurrency);
  const { queueBackend, clock, rng, logger, metrics } = infrastructure;
  return new JobWorker<WorkJob>({
    definition: stage.definition,
    backend: queueBackend,
    concurrency: stage.concurrency,
    handler: (job, context) =>
      slots.run((withoutSlot) => runBatchJob(infrastructure, stage, job, context, withoutSlot)),
    onExhausted: (job, { jobError }) => endBatch(infrastructure, stage.definition.name, job, jobError),
    clock,
    rng,
    logger,
    metrics,
  });
}

/** Runs one job of a stage under the lease of its batch, which is in the row of the batch. */
export function runBatchJob<Input>(
  deps: LeasedJobDependencies,
  stage: BatchStage<Input>,
  { tenantId, subjectId: batchId, generation }: WorkJob,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const { clock } = deps;
  const { leaseMs } = stage;
  const { name: kind } = stage.definition;
  return runLeasedJob<ClaimedBatch, Input>(
    deps,
    {
      tenantId,
      claimKey: batchId,
      leaseMs,
      async claim(tx) {
        const claim = await claimBatch(tx, { batchId, generation, kind, now: clock.now(), leaseMs });
        if (claim.outcome !== 'claimed') return claim;
        return { outcome: 'claimed', claimed: { ...claim, tenantId, batchId, generation } };
      },
      load: (tx) => stage.load(tx, batchId),
      renew: (tx, { fence }) => renewLease(tx, { batchId, fence, now: clock.now(), leaseMs }),
      release: (tx, { fence }) => releaseBatch(tx, { batchId, fence }),
      run: (batch, input, attempt) => stage.run(batch, input, attempt),
      translate: (error, attempt) => stage.translate(error, attempt),
    },
    context,
    withoutSlot,
  );
}
