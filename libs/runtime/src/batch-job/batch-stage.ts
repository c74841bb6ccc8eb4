import type { BatchJob, QueueDefinition } from '@annals/contracts';
import type { JobError } from '@annals/messaging';
import type { Claim, Deferral, Tx } from '@annals/storage';
import type { WithoutSlot } from './concurrency-slots.js';

/** A batch that this worker has claimed: its commits are refused once another worker has claimed it (`fence`). */
export type ClaimedBatch = Omit<Extract<Claim, { outcome: 'claimed' }>, 'outcome'> & {
  readonly tenantId: string;
  readonly batchId: string;
  readonly generation: number;
};

export interface BatchAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /** Aborted on timeout, when the worker stops, or when another worker has the batch. */
  readonly signal: AbortSignal;
  /** Waits for something outside this process without occupying a concurrency slot. Use it for every model call. */
  readonly withoutSlot: WithoutSlot;
}

/** How the run of a batch in a stage has ended. Errors are thrown; `BatchStage.translate` classifies them. */
export type BatchEnding =
  /** The result is committed. */
  | { readonly ends: 'done' }
  /** Another worker has the batch, or has written it: this result is discarded. */
  | { readonly ends: 'superseded' }
  /** The batch has ended or left the stage, or the job is of an older generation. */
  | { readonly ends: 'stale' }
  /** The batch is released, and its job runs again after `delayMs`, without using up an attempt. */
  | { readonly ends: 'delayed'; readonly delayMs: number }
  /** The batch waits in the database, visibly and without using up an attempt. `until` is epoch ms. */
  | ({ readonly ends: 'deferred' } & Pick<Deferral, 'reason' | 'until' | 'shortfallMicroUsd'>);

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
  /** Does the work and commits it. */
  run(batch: ClaimedBatch, input: Input, attempt: BatchAttempt): Promise<BatchEnding>;
  /** Classifies an error that this stage knows; undefined for all others. */
  translate(error: unknown, attempt: BatchAttempt): JobError | undefined;
}
