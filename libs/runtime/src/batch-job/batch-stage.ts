import type { BatchJob, QueueDefinition } from '@annals/contracts';
import type { JobError, JobOutcome } from '@annals/messaging';
import type { Claim, Tx } from '@annals/storage';
import type { WithoutSlot } from './concurrency-slots.js';

/**
 * A batch that this worker has claimed: its commits are refused once another worker has claimed the batch (`fence`).
 */
export type ClaimedBatch = Omit<Extract<Claim, { outcome: 'claimed' }>, 'outcome'> & {
  readonly tenantId: string;
  readonly batchId: string;
  readonly generation: number;
};

/** The attempt of the job. */
export interface BatchAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /** Aborted on timeout, when the worker stops, or when another worker has the batch. */
  readonly signal: AbortSignal;
  /**
   * Ends this run by throwing: the batch is released and its job runs again after `delayMs`, with no attempt used up.
   */
  readonly delayJob: (delayMs: number) => never;
  /** Waits for something outside this process without occupying a concurrency slot. Use it for every model call. */
  readonly withoutSlot: WithoutSlot;
}

/** One stage of the pipeline: what it loads, what it does, and how its errors are classified. */
export interface BatchStage<Input> {
  readonly definition: QueueDefinition<string, BatchJob>;
  readonly concurrency: number;
  /** How many of these jobs may use the CPU at a time, while the others wait `withoutSlot`. Default: all of them. */
  readonly concurrencySlots?: number;
  /** Duration of a claim without renewal, in ms. */
  readonly leaseMs: number;
  /** Loads the input of the stage, in the transaction of the claim and in the same round trip. */
  load(tx: Tx, batchId: string): Promise<Input>;
  /** Does the work and commits it; `skipped` when the batch was lost to another worker. */
  run(batch: ClaimedBatch, input: Input, attempt: BatchAttempt): Promise<JobOutcome>;
  /** Classifies an error that this stage knows; undefined for all others. */
  translate(error: unknown, attempt: BatchAttempt): JobError | undefined;
}
