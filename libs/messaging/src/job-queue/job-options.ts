import type { QueueDefinition } from '@annals/contracts';
import type { JobsOptions } from 'bullmq';
import type { JobToAdd } from './job-queue.types.js';

/** Not one of BullMQ's own kinds, so that the worker asks `computeBackoffMs`, which knows jitter and retry hints. */
export const BACKOFF_TYPE = 'annals';

const SECONDS_PER_DAY = 86_400;

/** Enough to see that work flows. What a job did is in PostgreSQL. */
const COMPLETED_RETENTION = { count: 100 } as const;
/** A week to look at and replay a failure; bounded, for a broken provider fails everything. */
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
