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
