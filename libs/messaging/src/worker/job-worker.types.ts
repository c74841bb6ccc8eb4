import type { QueueDefinition } from '@annals/contracts';
import type { Clock, Rng } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import type { QueueBackend } from '../queue-backend/queue-backend.js';
import type { JobError } from './job-error.js';

/** `skipped`: nothing was left to do. `deferred`: waits in the outbox until a later time. */
export type JobOutcome = 'done' | 'skipped' | 'deferred';

export interface JobContext {
  readonly jobId: string;
  /** Counts from 1; delays and killed workers do not use up an attempt. */
  readonly attempt: number;
  readonly attemptsLeft: number;
  /**
   * Aborted on timeout, or when the worker must stop. Not when the lock of the job is lost: the queue may deliver it to
   * another worker then, and the lease of the work decides which of the two goes on.
   */
  readonly signal: AbortSignal;
  /** Ends this run by throwing: the job runs again after `delayMs`, and has used up no attempt. */
  delayJob(delayMs: number): never;
}

export type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<JobOutcome>;

/** The last failure of a job. `code` is `stalled_too_often` when its workers died repeatedly. */
export interface ExhaustedJob {
  readonly jobId: string;
  readonly jobError: JobError;
}

export interface JobWorkerOptions<Payload> {
  readonly definition: QueueDefinition<string, Payload>;
  readonly backend: QueueBackend;
  readonly handler: JobHandler<Payload>;
  /** Concurrent jobs in this process. Default: the number of the definition. */
  readonly concurrency?: number;
  readonly clock: Clock;
  readonly rng?: Rng;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'add' | 'inc' | 'observe'>;
  /** The job will not be retried. Called again when this fails; the sweep finds jobs that are still missed. */
  readonly onExhausted: (payload: Payload, job: ExhaustedJob) => Promise<void>;
}
