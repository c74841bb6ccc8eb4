import type { QueueDefinition, WorkDeferralReason, WorkJob, WorkKind } from '@annals/contracts';
import type { JobError } from '@annals/messaging';
import type { Tx, WorkHold } from '@annals/storage';
import type { JobAttempt, JobEnding } from '../leased-job/run-leased-job.js';

/** Work that this worker has claimed: its commit is refused once another worker has claimed it (`fence`). */
export interface ClaimedWork extends WorkHold, WorkJob {
  /** Claims since it was asked for, this one included. */
  readonly attempts: number;
}

/** How the run of a stage has ended. `until`: epoch ms. */
export type WorkEnding<Reason extends WorkDeferralReason = WorkDeferralReason> =
  | Exclude<JobEnding, { ends: 'deferred' }>
  | { readonly ends: 'deferred'; readonly reason: Reason; readonly until: number };

/** What is done for one kind of work (docs/reference/work.md#adding-a-kind-of-work). */
export interface WorkStage<Input> {
  readonly definition: QueueDefinition<WorkKind, WorkJob>;
  /** Duration of a claim without renewal, in ms. */
  readonly leaseMs: number;
  /** Loads the input, in the transaction of the claim and in the same round trip. */
  load(tx: Tx, subjectId: string): Promise<Input>;
  /** Does the work; its last transaction is one of `commitWork`. */
  run(work: ClaimedWork, input: Input, attempt: JobAttempt): Promise<WorkEnding>;
  /** Classifies an error that this stage knows; undefined for all others. */
  translate(error: unknown, attempt: JobAttempt): JobError | undefined;
}
