import type { ExponentialBackoff, WorkKind } from '@annals/contracts';
import { computeRetryDelayMs, type Rng, SystemRng } from '@annals/domain';
import type { Job, Worker } from 'bullmq';
import { ExhaustionNotifier } from './exhaustion-notifier.js';
import { FailedAttempt, type JobError, PermanentJobError, TransientJobError } from './job-error.js';
import { JobReporter } from './job-reporter.js';
import { JobRunner } from './job-runner.js';
import type { JobWorkerOptions } from './job-worker.types.js';
import { settlesWithin } from './running-job.js';

/** For each step after the timeout of closing: returning jobs, closing connections, notifications. */
const RETURN_TIMEOUT_MS = 2_000;
/** The failure reason of BullMQ for a job that stalled more often than `maxStalledCount`. */
const BULLMQ_STALLED_REASON = 'job stalled more than allowable limit';

/** The consumer of one queue: takes jobs, validates them, runs the handler and classifies how each attempt ended. */
export class JobWorker<Payload> {
  private readonly runner: JobRunner<Payload>;
  private readonly reporter: JobReporter;
  private readonly notifier: ExhaustionNotifier;
  private readonly rng: Rng;
  private worker?: Worker;
  private closing?: Promise<void>;

  constructor(private readonly options: JobWorkerOptions<Payload>) {
    const { definition, logger, metrics } = options;
    this.reporter = new JobReporter(definition.name as WorkKind, definition.timeoutMs, logger, metrics);
    this.runner = new JobRunner(options, this.reporter);
    this.notifier = new ExhaustionNotifier(logger);
    this.rng = options.rng ?? new SystemRng();
  }

  get queue(): string {
    return this.options.definition.name;
  }

  /** Starts taking jobs once the queue is reachable; resolves then. */
  async start(): Promise<void> {
    if (this.worker) throw new Error(`The worker of queue "${this.queue}" is already started. Call start() once.`);
    const worker = this.open();
    this.worker = worker;
    await worker.waitUntilReady();
    void worker
      .run()
      .catch((error: unknown) => this.options.logger.error('service_failed', { stage: this.queue, error }));
  }

  /**
   * Takes no more jobs and waits for the running ones; after `timeoutMs` aborts them and returns them to the queue, so
   * that another worker can take them immediately.
   */
  close({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    this.closing ??= this.closeWithin(timeoutMs);
    return this.closing;
  }

  private async closeWithin(timeoutMs: number): Promise<void> {
    const { worker } = this;
    if (worker) {
      const closed = worker.close();
      // A queue that hangs does not answer the end of a job either: once no handler runs, it is waited for no longer.
      const idle = this.runner.whenIdle().then(() => settlesWithin(closed, RETURN_TIMEOUT_MS));
      const isClosed = Promise.race([settlesWithin(closed, timeoutMs), idle]);
      if (!(await isClosed)) {
        this.runner.returnAllJobs();
        // An unreachable queue cannot take them back: their locks expire instead.
        if (!(await settlesWithin(closed, RETURN_TIMEOUT_MS)))
          await settlesWithin(worker.disconnect(), RETURN_TIMEOUT_MS);
      }
    }
    await this.notifier.close(RETURN_TIMEOUT_MS);
  }

  private open(): Worker {
    const { definition, backend, concurrency } = this.options;
    const worker = backend.createWorker(definition.name, (job, token) => this.runner.process(job, token), {
      concurrency: concurrency ?? definition.concurrency,
      lockDuration: definition.lockDurationMs,
      stalledInterval: definition.stalledIntervalMs,
      maxStalledCount: definition.maxStalledCount,
      settings: { backoffStrategy: (attempt, _type, error) => this.computeBackoff(attempt, error) },
    });
    worker.on('stalled', (jobId) => this.reporter.stalled(jobId));
    worker.on('failed', (job, error) => this.onFailed(job, error));
    worker.on('lockRenewalFailed', (jobIds: string[]) => this.runner.reportLostLocks(jobIds));
    return worker;
  }

  private computeBackoff(attempt: number, error: Error | undefined): number {
    const retryAfterMs = error instanceof FailedAttempt ? error.jobError.retryAfterMs : undefined;
    return computeBackoffMs(this.options.definition.backoff, attempt, retryAfterMs, this.rng);
  }

  private onFailed(job: Job | undefined, error: Error): void {
    if (!job) return;
    const isLast = job.finishedOn !== undefined;
    if (error instanceof FailedAttempt) this.reporter.failed(job.id ?? '', error, isLast);
    if (!isLast) return;
    const jobError = error instanceof FailedAttempt ? error.jobError : toQueueError(error);
    if (!(error instanceof FailedAttempt)) this.reporter.abandoned(job, jobError);
    const payload = this.options.definition.payload.safeParse(job.data);
    if (!payload.success) return;
    this.notifier.notify(() => this.options.onExhausted(payload.data, { jobId: job.id ?? '', jobError }));
  }
}

function toQueueError(error: Error): JobError {
  if (error.message === BULLMQ_STALLED_REASON) return new PermanentJobError('stalled_too_often');
  return new TransientJobError('queue_error', { cause: error });
}

/**
 * Delay in ms after failed attempt number `attempt` (from 1): `delayMs · 2^(attempt-1)`, of which the share `jitter` is
 * random (as BullMQ defines jitter). A longer `retryAfterMs` takes precedence, with jitter on top, so that jobs with
 * the same retry time do not run at the same time.
 */
export function computeBackoffMs(
  backoff: ExponentialBackoff,
  attempt: number,
  retryAfterMs: number | undefined,
  rng: Rng,
): number {
  const { delayMs, jitter } = backoff;
  const chance = rng.nextFloat();
  const ownMs = computeRetryDelayMs({ firstMs: delayMs, jitter }, attempt - 1, { nextFloat: () => chance });
  if (retryAfterMs === undefined || retryAfterMs <= ownMs) return Math.round(ownMs);
  return Math.round(retryAfterMs + delayMs * jitter * chance);
}
