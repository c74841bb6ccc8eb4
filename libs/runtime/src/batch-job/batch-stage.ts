import type { QueueDefinition, WorkJob, WorkKindOf } from '@annals/contracts';
import type { JobError } from '@annals/messaging';
import type { Claim, Deferral, Tx } from '@annals/storage';
import type { JobAttempt, JobEnding } from '../leased-job/run-leased-job.js';

/** A batch that this worker has claimed: its commits are refused once another worker has claimed it (`fence`). */
export type ClaimedBatch = Omit<Extract<Claim, { outcome: 'claimed' }>, 'outcome'> & {
  readonly tenantId: string;
  readonly batchId: string;
  readonly generation: number;
  /** Of a dry run, which has no batch: its calls are billed without one. */
  readonly isTrial?: true;
};

/** How the run of a batch in a stage has ended; the stage has written a deferral. `until` is epoch ms. */
export type BatchEnding =
  | Exclude<JobEnding, { ends: 'deferred' }>
  | ({ readonly ends: 'deferred' } & Pick<Deferral, 'reason' | 'until' | 'shortfallMicroUsd'>);

/** One stage of the pipeline: what it loads, what it does, and how its errors are classified. */
export interface BatchStage<Input> {
  readonly definition: QueueDefinition<WorkKindOf<'batch'>, WorkJob>;
  readonly concurrency: number;
  /** How many of these jobs may use the CPU at a time, while the others wait `withoutSlot`. Default: all of them. */
  readonly concurrencySlots?: number;
  /** Duration of a claim without renewal, in ms. */
  readonly leaseMs: number;
  /** Loads the input of the stage, in the transaction of the claim and in the same round trip. */
  load(tx: Tx, batchId: string): Promise<Input>;
  /** Does the work and commits it. */
  run(batch: ClaimedBatch, input: Input, attempt: JobAttempt): Promise<BatchEnding>;
  /** Classifies an error that this stage knows; undefined for all others. */
  translate(error: unknown, attempt: JobAttempt): JobError | undefined;
}
