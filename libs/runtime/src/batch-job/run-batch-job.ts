import type { BatchJob, QueueName } from '@annals/contracts';
import { CoordinationUnavailableError } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import { type JobContext, type JobOutcome, JobWorker } from '@annals/messaging';
import { allOf, claimBatch, type Database, isTransientDatabaseError, releaseBatch, renewLease } from '@annals/storage';
import type { BatchAttempt, BatchEnding, BatchStage, ClaimedBatch } from './batch-stage.js';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { ConcurrencySlots, type WithoutSlot } from './concurrency-slots.js';
import { endBatch } from './end-batch.js';
import { LeaseLostError, startLeaseRenewal } from './lease-renewal.js';

export interface BatchJobDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
}

/** Before a batch that another worker holds is checked again: that one may be done, or dead, before its lease ends. */
const MAX_DELAY_MS = 1_000;
const MIN_DELAY_MS = 50;
/**
 * Delay of a job while PostgreSQL or the coordination store is unreachable. It uses up no attempt: an outage of any
 * length is not a failure of the batch, and accepted work is done when the store is back.
 */
const STORE_OUTAGE_DELAY_MS = 2_000;

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

/**
 * Runs one job of a stage: claims the batch and loads its input in one transaction, works under a renewed lease, and
 * releases the batch when the attempt fails or is delayed. However a run ends, it becomes the job's outcome here.
 */
export async function runBatchJob<Input>(
  deps: BatchJobDependencies,
  stage: BatchStage<Input>,
  job: BatchJob,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const claimed = await claimAndLoad(deps, stage, job);
  const ending = 'ends' in claimed ? claimed : await runClaimed(deps, stage, claimed, context, withoutSlot);
  switch (ending.ends) {
    case 'done':
    case 'deferred':
      return ending.ends;
    case 'superseded':
    case 'stale':
      return 'skipped';
    case 'delayed':
      return context.delayJob(ending.delayMs);
  }
}

/** Delay in ms before a job checks a held batch again. */
export function computeDelayMs(heldUntil: number, now: number): number {
  return Math.min(Math.max(heldUntil - now, MIN_DELAY_MS), MAX_DELAY_MS);
}

interface LoadedBatch<Input> {
  readonly batch: ClaimedBatch;
  readonly input: Input;
}

/** Claims the batch and loads its input. It is not claimed while another worker holds it, or when it has ended. */
async function claimAndLoad<Input>(
  { database, clock }: BatchJobDependencies,
  stage: BatchStage<Input>,
  job: BatchJob,
): Promise<LoadedBatch<Input> | BatchEnding> {
  const { tenantId, batchId, generation } = job;
  const { leaseMs } = stage;
  const queue = stage.definition.name as QueueName;
  try {
    const [claim, input] = await database.inTenant(tenantId, (tx) =>
      // The claim is sent first and locks the row, so what is loaded after it cannot change any more.
      allOf([claimBatch(tx, { batchId, generation, queue, now: clock.now(), leaseMs }), stage.load(tx, batchId)]),
    );
    if (claim.outcome === 'stale') return { ends: 'stale' };
    if (claim.outcome === 'held') return { ends: 'delayed', delayMs: computeDelayMs(claim.until, clock.now()) };
    return { batch: { ...claim, ...job }, input };
  } catch (error) {
    return delayOnStoreOutage(error);
  }
}

async function runClaimed<Input>(
  deps: BatchJobDependencies,
  stage: BatchStage<Input>,
  { batch, input }: LoadedBatch<Input>,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<BatchEnding> {
  const { database, clock } = deps;
  const { tenantId, batchId, fence } = batch;
  const { leaseMs } = stage;
  const lease = startLeaseRenewal(leaseMs, context.signal, () =>
    database.inTenant(tenantId, (tx) => renewLease(tx, { batchId, fence, now: clock.now(), leaseMs })),
  );
  const { attempt, attemptsLeft } = context;
  const batchAttempt: BatchAttempt = { attempt, attemptsLeft, signal: lease.signal, withoutSlot };
  try {
    const ending = await stage.run(batch, input, batchAttempt);
    if (ending.ends === 'delayed') await tryReleaseBatch(deps, batch);
    return ending;
  } catch (error) {
    if (error instanceof LeaseLostError) return { ends: 'superseded' };
    await tryReleaseBatch(deps, batch);
    const jobError = stage.translate(error, batchAttempt);
    if (jobError) throw jobError;
    return delayOnStoreOutage(error);
  } finally {
    lease.stop();
  }
}

/** Best effort, so that the retry need not wait for the lease of this attempt; without it the lease expires. */
async function tryReleaseBatch(
  { database }: BatchJobDependencies,
  { tenantId, batchId, fence }: ClaimedBatch,
): Promise<void> {
  await database.inTenant(tenantId, (tx) => releaseBatch(tx, { batchId, fence })).catch(() => undefined);
}

/** Delays the job when a store is unreachable. @throws any other error */
function delayOnStoreOutage(error: unknown): BatchEnding {
  const isOutage = isTransientDatabaseError(error) || error instanceof CoordinationUnavailableError;
  if (isOutage) return { ends: 'delayed', delayMs: STORE_OUTAGE_DELAY_MS };
  throw error;
}
