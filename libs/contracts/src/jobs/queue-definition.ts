import type { z } from 'zod';

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
  /**
   * How many times a job may lose its worker before it fails: processes are killed in normal operation, but a poison
   * job must not run for ever.
   */
  readonly maxStalledCount: number;
}

/** Checks a definition's name and returns it with its types. */
export function defineQueue<const Name extends string, Payload>(
  definition: QueueDefinition<Name, Payload>,
): QueueDefinition<Name, Payload> {
  if (definition.name.includes(':')) throw new Error(`Rename queue ${definition.name}: BullMQ reserves ":".`);
  return definition;
}
