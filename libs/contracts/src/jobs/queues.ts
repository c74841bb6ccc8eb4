import { z } from 'zod';
import { uuidSchema } from '../primitives.js';

/** Waiting time before the next attempt: `delayMs · 2^(attempt-1)`, spread by `jitter` (0–1). */
export interface ExponentialBackoff {
  readonly type: 'exponential';
  readonly delayMs: number;
  readonly jitter: number;
}

/** Everything about one queue, declared once: producer, consumer, relay and queue UI use the same definition. */
export interface QueueDefinition<Name extends string = string, Payload = unknown> {
  /** Stored in Redis: a rename orphans waiting jobs. */
  readonly name: Name;
  /** The one job name of this queue; a consumer rejects any other. */
  readonly jobName: string;
  readonly payload: z.ZodType<Payload>;
  /** The same stage of the same generation is one job, however often it is added. No `:`, not digits only (BullMQ). */
  readonly jobId: (payload: Payload) => string;
  /** Attempts in all, the first included; then the job stays in the failed set, visible and replayable. */
  readonly attempts: number;
  readonly backoff: ExponentialBackoff;
  /** A handler that runs longer is aborted and the attempt fails. */
  readonly timeoutMs: number;
  /** Jobs one worker process handles at the same time, unless configuration says otherwise. */
  readonly concurrency: number;
  /** A worker that does not renew its lock for this long counts as dead. */
  readonly lockDurationMs: number;
  /** Interval of the check for dead workers. */
  readonly stalledIntervalMs: number;
  /** How often a job may lose its worker before it fails: kills are normal, but a poison job must not run for ever. */
  readonly maxStalledCount: number;
}

/** Checks a definition's name and returns it with its types. */
export function defineQueue<const Name extends string, Payload>(
  definition: QueueDefinition<Name, Payload>,
): QueueDefinition<Name, Payload> {
  if (definition.name.includes(':')) throw new Error(`Rename queue ${definition.name}: BullMQ reserves ":".`);
  return definition;
}

/**
 * Ids only: queues carry no content (docs/reference/queues.md#queues-carry-ids). `generation` grows with every replay,
 * deferral and sweep, so that a job of an older generation is recognised as stale
 * (docs/reference/queues.md#generations-make-old-jobs-stale).
 */
export const batchJobSchema = z.object({
  tenantId: uuidSchema,
  batchId: uuidSchema,
  generation: z.number().int().min(1),
});
export type BatchJob = z.infer<typeof batchJobSchema>;

const batchJobId = (stage: string) => (job: BatchJob) => `${stage}-${job.batchId}-${job.generation}`;

/**
 * A killed worker's job loses its lock after 5 s and is assigned again by the next stalled check, one or two intervals
 * later (docs/reference/queues.md#recovery-of-a-killed-workers-job). A lock that a busy process renews too late does no
 * harm: the batch's lease still holds, and the job that was assigned twice waits for the lease to end.
 */
const recovery = { lockDurationMs: 5_000, stalledIntervalMs: 5_000, maxStalledCount: 20 };

/** Messages of a sealed batch become extracted memories. */
export const extractionQueue = defineQueue({
  name: 'extraction',
  jobName: 'extract-batch',
  payload: batchJobSchema,
  jobId: batchJobId('extraction'),
  attempts: 6,
  // The last attempt starts about a minute after the first (2+4+8+16+32 s).
  backoff: { type: 'exponential', delayMs: 2_000, jitter: 0.5 },
  // Enough for a model's retries and its fallback; the next run of the job does what remains.
  timeoutMs: 300_000,
  concurrency: 8,
  ...recovery,
});

/** Extracted memories of a batch are written with history and sources in one transaction. */
export const persistenceQueue = defineQueue({
  name: 'persistence',
  jobName: 'persist-batch',
  payload: batchJobSchema,
  jobId: batchJobId('persistence'),
  attempts: 8,
  // The last attempt starts about two minutes after the first: longer than a database restart takes.
  backoff: { type: 'exponential', delayMs: 1_000, jitter: 0.5 },
  timeoutMs: 60_000,
  concurrency: 8,
  ...recovery,
});

export const queues = { extraction: extractionQueue, persistence: persistenceQueue } as const;
export type QueueName = keyof typeof queues;
export const QUEUE_NAMES = Object.keys(queues) as QueueName[];

/**
 * Head start of interactive work over bulk work that is due at the same time, in the outbox and again on the queue
 * (docs/reference/queues.md#priority-and-ageing). Bulk work that has waited longer than this goes first: it ages by
 * construction and never starves.
 */
export const INTERACTIVE_PRIORITY_BOOST_MS = 60_000;
