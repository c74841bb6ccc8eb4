import type { QueueDefinition } from '@annals/contracts';
import type { Clock, Rng } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import type { QueueBackend } from '../queue-backend/queue-backend.js';
import type { JobError } from './job-error.js';

/** How a job ended well: `skipped` found nothing left to do, `deferred` waits in the outbox for a better time. */
export type JobOutcome = 'done' | 'skipped' | 'deferred';

export interface JobContext {
  readonly jobId: string;
  /** Counts from 1; delays and lost workers use none up. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /** Aborted when time is up, when the worker must stop, or when another worker has the job. */
  readonly signal: AbortSignal;
  /** Ends this run by throwing: the job comes back after `delayMs`, holds no worker and has used up no attempt. */
  delayJob(delayMs: number): never;
}

export type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<JobOutcome>;

/** The last failure of a job. `code` is `stalled_too_often` when its workers kept vanishing. */
export interface ExhaustedJob {
  readonly jobId: string;
  readonly jobError: JobError;
}

export interface JobWorkerOptions<Payload> {
  readonly definition: QueueDefinition<string, Payload>;
  readonly backend: QueueBackend;
  readonly handler: JobHandler<Payload>;
  /** Jobs at the same time in this process; the definition's number without it. */
  readonly concurrency?: number;
  readonly clock: Clock;
  readonly rng?: Rng;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc' | 'observe'>;
  /** Records that the job will not be tried again. Called again when it fails; what is missed the sweep finds. */
  readonly onExhausted: (payload: Payload, job: ExhaustedJob) => Promise<void>;
}
