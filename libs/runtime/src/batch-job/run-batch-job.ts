import type { BatchJob, QueueName } from '@annals/contracts';
import { CoordinationUnavailableError } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { JobContext, JobOutcome } from '@annals/messaging';
import {
  allOf,
  type Claim,
  claimBatch,
  type Database,
  isTransientDatabaseError,
  releaseBatch,
  renewLease,
} from '@annals/storage';
import type { BatchAttempt, BatchStage, ClaimedBatch } from './batch-stage.js';
import { startLeaseRenewal, LeaseLostError } from './lease-renewal.js';
import type { WithoutSlot } from './concurrency-slots.js';

export interface BatchJobDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
}

/**
 * Maximum delay before a batch that another worker holds is checked again, since that worker may be done, or dead,
 * before its lease ends.
 */
const MAX_DELAY_MS = 1_000;
const MIN_DELAY_MS = 50;
/**
 * Delay of a job while PostgreSQL or the coordination store is unreachable. It uses up no attempt: an outage of any
 * length is not a failure of the batch, and accepted work is done when the store is back.
 */
const STORE_OUTAGE_DELAY_MS = 2_000;

/**
 * Runs one job of a stage: claims the batch and loads its input in one transaction, works under a renewed lease, and
 * releases the batch when the attempt fails. The job is delayed when another worker holds the batch, and skipped when
 * the batch has ended.
 */
export async function runBatchJob<Input>(
  deps: BatchJobDependencies,
  stage: BatchStage<Input>,
  job: BatchJob,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const { claim, input } = await claimAndLoad(deps, stage, job, context);
  if (claim.outcome === 'stale') return 'skipped';
  if (claim.outcome === 'held') return context.delayJob(computeDelayMs(claim.until, deps.clock.now()));
  const batch: ClaimedBatch = { ...claim, ...job };
  return runClaimed(deps, stage, batch, input, context, withoutSlot);
}

/** Delay in ms before a job checks a held batch again. */
export function computeDelayMs(heldUntil: number, now: number): number {
  return Math.min(Math.max(heldUntil - now, MIN_DELAY_MS), MAX_DELAY_MS);
}

async function claimAndLoad<Input>(
  { database, clock }: BatchJobDependencies,
  stage: BatchStage<Input>,
  { tenantId, batchId, generation }: BatchJob,
  context: JobContext,
): Promise<{ claim: Claim; input: Input }> {
  const { leaseMs } = stage;
  const queue = stage.definition.name as QueueName;
  try {
    const [claim, input] = await database.inTenant(tenantId, (tx) =>
      // The claim is sent first and locks the row, so what is loaded after it cannot change any more.
      allOf([claimBatch(tx, { batchId, generation, queue, now: clock.now(), leaseMs }), stage.load(tx, batchId)]),
    );
    return { claim, input };
  } catch (error) {
    throw delayOnStoreOutage(error, context);
  }
}

async function runClaimed<Input>(
  deps: BatchJobDependencies,
  stage: BatchStage<Input>,
  batch: ClaimedBatch,
  input: Input,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const { database, clock } = deps;
  const { tenantId, batchId, fence } = batch;
  const { leaseMs } = stage;
  const lease = startLeaseRenewal(leaseMs, context.signal, () =>
    database.inTenant(tenantId, (tx) => renewLease(tx, { batchId, fence, now: clock.now(), leaseMs })),
  );
  const attempt: BatchAttempt = {
    attempt: context.attempt,
    attemptsLeft: context.attemptsLeft,
    signal: lease.signal,
    delayJob: (delayMs) => context.delayJob(delayMs),
    withoutSlot,
  };
  try {
    return await stage.run(batch, input, attempt);
  } catch (error) {
    if (error instanceof LeaseLostError) return 'skipped';
    await tryReleaseBatch(deps, batch);
    throw stage.translate(error, attempt) ?? delayOnStoreOutage(error, context);
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

/** Delays the job when a store is unreachable; returns any other error. */
function delayOnStoreOutage(error: unknown, context: JobContext): unknown {
  const isOutage = isTransientDatabaseError(error) || error instanceof CoordinationUnavailableError;
  return isOutage ? context.delayJob(STORE_OUTAGE_DELAY_MS) : error;
}
