import type { BatchJob, QueueDefinition } from '@annals/contracts';
import type { JobError, JobOutcome } from '@annals/messaging';
import type { Claim, Tx } from '@annals/storage';
import type { WithoutSlot } from './concurrency-slots.js';

/** A batch that this worker holds: what it commits is refused once another worker has taken the batch (`fence`). */
export type ClaimedBatch = Omit<Extract<Claim, { outcome: 'claimed' }>, 'outcome'> & {
  readonly tenantId: string;
  readonly batchId: string;
  readonly generation: number;
};

/** Which try this is. */
export interface BatchAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /** Aborted when time is up, when the worker stops, or when another worker has the batch. */
  readonly signal: AbortSignal;
  /** Ends this run by throwing: the batch is given back and its job comes after `delayMs`, with no attempt used up. */
  readonly delayJob: (delayMs: number) => never;
  /** Waits for what others do: meanwhile another job of this process works. Take it for every call of a model. */
  readonly withoutSlot: WithoutSlot;
}

/** One stage of the pipeline: what it reads, what it does, and what its failures mean. */
export interface BatchStage<Input> {
  readonly definition: QueueDefinition<string, BatchJob>;
  readonly concurrency: number;
  /** How many of these jobs work at a time, while the others wait `withoutSlot`; all of them if left out. */
  readonly concurrencySlots?: number;
  /** How long a claim holds without renewal, in ms. */
  readonly leaseMs: number;
  /** Reads what the stage works on, in the transaction of the claim and in the same round trip. */
  load(tx: Tx, batchId: string): Promise<Input>;
  /** Does the work and commits it; `skipped` when the batch was lost to another worker. */
  run(batch: ClaimedBatch, input: Input, attempt: BatchAttempt): Promise<JobOutcome>;
  /** The meaning of an error this stage knows; undefined for all others. */
  translate(error: unknown, attempt: BatchAttempt): JobError | undefined;
}
