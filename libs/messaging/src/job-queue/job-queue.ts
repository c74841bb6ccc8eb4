import type { QueueDefinition } from '@annals/contracts';
import { propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { Job, JobsOptions, Queue } from 'bullmq';
import type { QueueGuard } from '../queue-backend/queue-guard.js';

export interface JobToAdd<Payload> {
  readonly payload: Payload;
  /** W3C traceparent of the request that caused the job. */
  readonly trace: string | null;
  /** From `computeJobPriority`: the smallest number is taken first. */
  readonly priority: number;
}

export type JobState = 'waiting' | 'prioritized' | 'active' | 'delayed' | 'completed' | 'failed' | 'missing';

export interface QueueCounts {
  /** Ready to be taken. */
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Only the last few, which the queue retains. */
  readonly completed: number;
  readonly failed: number;
}

export interface FailedJob<Payload> {
  readonly jobId: string;
  /** Null when it does not fit the queue's schema. */
  readonly payload: Payload | null;
  /** A stable code. */
  readonly reason: string;
  readonly attempts: number;
  /** Epoch ms. */
  readonly failedAt: number | null;
}

const COUNTED_STATES = ['waiting', 'active', 'delayed', 'prioritized', 'completed', 'failed'] as const;

/** The producer of one queue. Every method throws `QueueUnavailableError` when the queue does not answer in time. */
export class JobQueue<Payload> {
  constructor(
    readonly definition: QueueDefinition<string, Payload>,
    readonly bull: Queue,
    private readonly guard: QueueGuard,
  ) {}

  /** Adds all jobs in one command. A job whose id is still in the queue is ignored. */
  async addAll(jobs: readonly JobToAdd<Payload>[]): Promise<void> {
    if (jobs.length === 0) return;
    const spans = jobs.map((job) => startAddSpan(this.definition.name, job.trace));
    const rows = jobs.map((job, index) => ({
      name: this.definition.jobName,
      data: this.definition.data(job.payload),
      opts: buildJobOptions(this.definition, job, spans[index]?.metadata),
    }));
    try {
      await this.guard.run('add jobs', () => this.bull.addBulk(rows));
    } finally {
      for (const span of spans) span?.end();
    }
  }

  /** The state of each job, by id. */
  async readStates(jobIds: readonly string[]): Promise<ReadonlyMap<string, JobState>> {
    const states = await this.guard.run('read job states', () =>
      // Pipelined: the client sends all commands without waiting for each reply.
      Promise.all(jobIds.map((jobId) => this.bull.getJobState(jobId))),
    );
    return new Map(jobIds.map((jobId, index) => [jobId, toJobState(states[index])]));
  }

  /** How many jobs are in each state, for gauges. */
  readCounts(): Promise<QueueCounts> {
    return this.guard.run('count jobs', async () => {
      const counts = await this.bull.getJobCounts(...COUNTED_STATES);
      const { waiting = 0, active = 0, delayed = 0, prioritized = 0, completed = 0, failed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed, completed, failed };
    });
  }

  /** Failed jobs, newest first. `reason` is a code, never content. */
  listFailedJobs({ offset = 0, limit = 100 } = {}): Promise<readonly FailedJob<Payload>[]> {
    return this.guard.run('list failed jobs', async () => {
      const jobs: Job[] = await this.bull.getFailed(offset, offset + limit - 1);
      return jobs.map((job) => this.describeFailedJob(job));
    });
  }

  /** Removes failed jobs. Returns how many were removed. */
  removeFailedJobs(jobIds: readonly string[]): Promise<number> {
    return this.guard.run('remove failed jobs', async () => {
      const states = await Promise.all(jobIds.map((jobId) => this.bull.getJobState(jobId)));
      const failed = jobIds.filter((_, index) => states[index] === 'failed');
      const removed = await Promise.all(failed.map((jobId) => this.bull.remove(jobId)));
      return removed.reduce((sum, count) => sum + count, 0);
    });
  }

  /** Asks BullMQ's own queue, for the queue UI. */
  ask<T>(operation: string, read: (bull: Queue) => Promise<T>): Promise<T> {
    return this.guard.run(operation, () => read(this.bull));
  }

  /** Removes a job that waits for its next attempt. False when it does not: it is gone, or another caller removed it. */
  removeDelayedJob(jobId: string): Promise<boolean> {
    return this.guard.run('remove a delayed job', async () => {
      if ((await this.bull.getJobState(jobId)) !== 'delayed') return false;
      // Leaves alone what a worker has locked since.
      return (await this.bull.remove(jobId)) === 1;
    });
  }

  private describeFailedJob(job: Job): FailedJob<Payload> {
    const parsed = this.definition.payload.safeParse(job.data);
    return {
      jobId: job.id ?? '',
      payload: parsed.success ? parsed.data : null,
      reason: job.failedReason,
      attempts: job.attemptsMade,
      failedAt: job.finishedOn ?? null,
    };
  }
}

function toJobState(state: string | undefined): JobState {
  switch (state) {
    case 'waiting':
    case 'prioritized':
    case 'active':
    case 'delayed':
    case 'completed':
    case 'failed':
      return state;
    default:
      return 'missing';
  }
}

/** Not a built-in type of BullMQ, so that the worker calls `computeBackoffMs`, which applies jitter and retry hints. */
const BACKOFF_TYPE = 'annals';

const SECONDS_PER_DAY = 86_400;

/** Enough to see that jobs complete. Their results are in PostgreSQL. */
const COMPLETED_RETENTION = { count: 100 } as const;
/** A week to inspect and replay a failure; bounded, because a provider outage fails every job. */
const FAILED_RETENTION = { age: 7 * SECONDS_PER_DAY, count: 5_000 } as const;

function buildJobOptions<Payload>(
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

interface AddSpan {
  /** Parent of the worker's span, as BullMQ stores it. */
  readonly metadata: string;
  end(): void;
}

/**
 * Starts the span of adding a job, a child of the span in `traceparent` and the parent of the job's span, so that one
 * trace runs from HTTP to the worker. Null without a trace.
 */
function startAddSpan(queue: string, traceparent: string | null): AddSpan | null {
  if (traceparent === null) return null;
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
  const span = trace.getTracer('annals').startSpan(`add ${queue}`, { kind: SpanKind.PRODUCER }, parent);
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(parent, span), carrier);
  // Without a propagator in this process the worker's process may still have one.
  const metadata = JSON.stringify(carrier.traceparent ? carrier : { traceparent });
  return { metadata, end: () => span.end() };
}
