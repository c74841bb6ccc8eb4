import { CoordinationUnavailableError } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import { type JobContext, type JobError, type JobOutcome, TransientJobError } from '@annals/messaging';
import { allOf, type Database, isTransientDatabaseError, StatementEndedError, type Tx } from '@annals/storage';
import type { WithoutSlot } from './concurrency-slots.js';
import { LeaseLostError, startLeaseRenewal } from './lease-renewal.js';

/** One attempt of a job. */
export interface JobAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /** Aborted on timeout, when the worker stops, or when another worker has the work. */
  readonly signal: AbortSignal;
  /** Waits for something outside this process without occupying a concurrency slot. Use it for every model call. */
  readonly withoutSlot: WithoutSlot;
}

/** How the run of a job has ended. Errors are thrown; `LeasedJob.translate` classifies them. */
export type JobEnding =
  /** The result is committed. */
  | { readonly ends: 'done' }
  /** Another worker has the work, or has done it: this result is discarded. */
  | { readonly ends: 'superseded' }
  /** The work has ended or moved on, or the job is of an older generation. */
  | { readonly ends: 'stale' }
  /** The work is released, and its job runs again after `delayMs`, without using up an attempt. */
  | { readonly ends: 'delayed'; readonly delayMs: number }
  /** The work waits in the database, visibly and without using up an attempt. */
  | { readonly ends: 'deferred' };

/** `held`: another worker has the work, until `until` (epoch ms). `stale`: there is nothing to do. */
type JobClaim<Claimed> =
  | { readonly outcome: 'claimed'; readonly claimed: Claimed }
  | { readonly outcome: 'held'; readonly until: number }
  | { readonly outcome: 'stale' };

/** Work under a lease: how it is claimed and released, and what it does. */
export interface LeasedJob<Claimed, Input> {
  readonly tenantId: string;
  /** What is claimed: claims of different work may share a transaction. Default: none does. */
  readonly claimKey?: string;
  /** Duration of a claim without renewal, in ms. */
  readonly leaseMs: number;
  claim(tx: Tx): Promise<JobClaim<Claimed>>;
  /** Loads the input, in the transaction of the claim and in the same round trip. */
  load(tx: Tx): Promise<Input>;
  /** False when another worker has claimed the work since. */
  renew(tx: Tx, claimed: Claimed): Promise<boolean>;
  release(tx: Tx, claimed: Claimed): Promise<void>;
  /** Does the work and commits it. */
  run(claimed: Claimed, input: Input, attempt: JobAttempt): Promise<JobEnding>;
  /** Classifies an error that this work knows; undefined for all others. */
  translate(error: unknown, attempt: JobAttempt): JobError | undefined;
}

export interface LeasedJobDependencies {
  readonly database: Pick<Database, 'inTenant' | 'inTenantTogether'>;
  readonly clock: Clock;
}

/** Before work that another worker holds is checked again: that one may be done, or dead, before its lease ends. */
const MAX_DELAY_MS = 1_000;
const MIN_DELAY_MS = 50;
/**
 * Delay of a job while PostgreSQL or the coordination store is unreachable. It uses up no attempt: an outage of any
 * length is not a failure of the work, and accepted work is done when the store is back.
 */
const STORE_OUTAGE_DELAY_MS = 2_000;

/**
 * Runs one job: claims the work and loads its input in one transaction, works under a renewed lease, and releases the
 * work when the attempt fails or is delayed. However a run ends, it becomes the job's outcome here.
 */
export async function runLeasedJob<Claimed, Input>(
  deps: LeasedJobDependencies,
  job: LeasedJob<Claimed, Input>,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const claiming = () => claimAndLoad(deps, job);
  // A claim that waits for a shared transaction leaves the CPU to others; those of minds are a part of their share.
  const claimed = await (job.claimKey === undefined ? claiming() : withoutSlot(claiming));
  const ending = 'ends' in claimed ? claimed : await runClaimed(deps, job, claimed, context, withoutSlot);
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

/** Delay in ms before a job checks held work again. */
export function computeDelayMs(heldUntil: number, now: number): number {
  return Math.min(Math.max(heldUntil - now, MIN_DELAY_MS), MAX_DELAY_MS);
}

interface LoadedWork<Claimed, Input> {
  readonly claimed: Claimed;
  readonly input: Input;
}

/** Claims the work and loads its input. It is not claimed while another worker holds it, or when it has ended. */
async function claimAndLoad<Claimed, Input>(
  { database, clock }: LeasedJobDependencies,
  job: LeasedJob<Claimed, Input>,
): Promise<LoadedWork<Claimed, Input> | JobEnding> {
  try {
    // The claim is sent first and locks the row, so what is loaded after it cannot change any more.
    const work = (tx: Tx) => allOf([job.claim(tx), job.load(tx)]);
    const [claim, input] = await (job.claimKey === undefined
      ? database.inTenant(job.tenantId, work)
      : database.inTenantTogether(job.tenantId, job.claimKey, work));
    if (claim.outcome === 'stale') return { ends: 'stale' };
    if (claim.outcome === 'held') return { ends: 'delayed', delayMs: computeDelayMs(claim.until, clock.now()) };
    return { claimed: claim.claimed, input };
  } catch (error) {
    // Nothing of the work has run: what was too slow is the store.
    if (error instanceof StatementEndedError) return { ends: 'delayed', delayMs: STORE_OUTAGE_DELAY_MS };
    return delayOnStoreOutage(error);
  }
}

async function runClaimed<Claimed, Input>(
  { database }: LeasedJobDependencies,
  job: LeasedJob<Claimed, Input>,
  { claimed, input }: LoadedWork<Claimed, Input>,
  { attempt, attemptsLeft, signal }: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobEnding> {
  const lease = startLeaseRenewal(job.leaseMs, signal, () =>
    database.inTenant(job.tenantId, (tx) => job.renew(tx, claimed)),
  );
  // Best effort, so that the retry need not wait for the lease of this attempt; without it the lease expires.
  const tryRelease = () => database.inTenant(job.tenantId, (tx) => job.release(tx, claimed)).catch(() => undefined);
  const jobAttempt: JobAttempt = { attempt, attemptsLeft, signal: lease.signal, withoutSlot };
  try {
    const ending = await job.run(claimed, input, jobAttempt);
    if (ending.ends === 'delayed') await tryRelease();
    return ending;
  } catch (error) {
    if (error instanceof LeaseLostError) return { ends: 'superseded' };
    await tryRelease();
    const jobError = job.translate(error, jobAttempt);
    if (jobError) throw jobError;
    return delayOnStoreOutage(error);
  } finally {
    lease.stop();
  }
}

/** Delays the job when a store is unreachable. @throws any other error */
function delayOnStoreOutage(error: unknown): JobEnding {
  if (isStoreOutage(error)) return { ends: 'delayed', delayMs: STORE_OUTAGE_DELAY_MS };
  if (error instanceof StatementEndedError) throw new TransientJobError('database_timeout', { cause: error });
  throw error;
}

/**
 * Whether an error says that PostgreSQL or the coordination store is unreachable. A statement that took longer than its
 * limit does not: it may be the work itself that is too large, and what it pays a model for would be paid for each time.
 */
export function isStoreOutage(error: unknown): boolean {
  if (error instanceof StatementEndedError) return false;
  return isTransientDatabaseError(error) || error instanceof CoordinationUnavailableError;
}
