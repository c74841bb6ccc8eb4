import type { QueueDefinition } from '@annals/contracts';
import type { JobsOptions } from 'bullmq';
import type { JobToAdd } from './job-queue.types.js';

/** Not a built-in type of BullMQ, so that the worker calls `computeBackoffMs`, which applies jitter and retry hints. */
const BACKOFF_TYPE = 'annals';

const SECONDS_PER_DAY = 86_400;

/** Enough to see that jobs complete. Their results are in PostgreSQL. */
const COMPLETED_RETENTION = { count: 100 } as const;
/** A week to inspect and replay a failure; bounded, because a provider outage fails every job. */
const FAILED_RETENTION = { age: 7 * SECONDS_PER_DAY, count: 5_000 } as const;

export function buildJobOptions<Payload>(
  definition: QueueDefinition<string, Payload>,
  { payload, priority }: Pick<JobToAdd<Payload>, 'payload' | 'priority'>,
  traceMetadata: string | undefined,
): JobsOptions {
  return {
    jobId: definition.jobId(payload),
    priority,
    attempts: definition.attempts,
    backoff: { type: BACKOFF_TYPE },
    removeOnComplete: COMPLETED_RETENTION,
    removeOnFail: FAILED_RETENTION,
    // The queue UI shows stack traces, and a stack begins with a message.
    stackTraceLimit: 0,
    ...(traceMetadata === undefined ? {} : { telemetry: { metadata: traceMetadata } }),
  };
}
