import { type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { DelayedError, type Job, WaitingError } from 'bullmq';
import { FailedAttempt, type JobError, PermanentJobError, toJobError, TransientJobError } from './job-error.js';
import type { JobReporter } from './job-reporter.js';
import type { JobContext, JobOutcome, JobWorkerOptions } from './job-worker.types.js';
import { DelayJob, ReturnJob, RunningJob } from './running-job.js';

type RunnerOptions<Payload> = Pick<JobWorkerOptions<Payload>, 'definition' | 'handler' | 'clock'>;

/** Runs the handler for each job and reports to BullMQ how each attempt ended. */
export class JobRunner<Payload> {
  /** May hold two runs of one job: the queue delivers a job again whose lock was lost. */
  private readonly running = new Set<RunningJob<JobOutcome>>();
  private isReturning = false;
  private onIdle: (() => void) | undefined;

  constructor(
    private readonly options: RunnerOptions<Payload>,
    private readonly reporter: JobReporter,
  ) {}

  /** @throws `FailedAttempt`, or errors of BullMQ for jobs that were delayed or returned to waiting */
  async process(job: Job, token: string | undefined): Promise<void> {
    const startedMs = performance.now();
    const span = trace.getActiveSpan();
    this.reporter.started(job);
    const payload = this.readPayload(job);
    const active = new RunningJob<JobOutcome>(job.id ?? '');
    this.running.add(active);
    try {
      if (this.isReturning) throw new ReturnJob();
      const outcome = await this.handle(payload, job, active);
      span?.setAttributes({ 'annals.job.outcome': outcome, 'annals.job.attempt': job.attemptsMade + 1 });
      this.reporter.completed(job, performance.now() - startedMs, outcome);
    } catch (thrown) {
      // The handler has ended. A queue that hangs does not answer where its job goes.
      this.forget(active);
      await this.moveJob(thrown, job, token);
      const jobError = toJobError(thrown);
      markSpan(span, jobError, job);
      throw this.describeAttempt(job, jobError, performance.now() - startedMs, false);
    } finally {
      this.forget(active);
    }
  }

  /** Resolves when no handler runs; for one caller. */
  async whenIdle(): Promise<void> {
    if (this.running.size > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
  }

  /**
   * Aborts every handler; their jobs are returned to the queue immediately. So are those that were taken from the queue
   * before and begin only now.
   */
  returnAllJobs(): void {
    this.isReturning = true;
    for (const active of this.running) active.end(new ReturnJob());
  }

  /** Reports each run once. It goes on: the lease of its work decides whether it may still write. */
  reportLostLocks(jobIds: readonly string[]): void {
    for (const active of this.running) {
      if (active.hasLostLock || !jobIds.includes(active.jobId)) continue;
      active.hasLostLock = true;
      this.reporter.lockLost(active.jobId);
    }
  }

  private forget(active: RunningJob<JobOutcome>): void {
    this.running.delete(active);
    if (this.running.size === 0) this.onIdle?.();
  }

  private handle(payload: Payload, job: Job, active: RunningJob<JobOutcome>): Promise<JobOutcome> {
    const { handler, definition } = this.options;
    const context = createContext(job, definition.attempts, active.signal);
    return active.run(
      () => handler(payload, context),
      definition.timeoutMs,
      () => new TransientJobError('timeout'),
    );
  }

  private readPayload(job: Job): Payload {
    const { definition } = this.options;
    if (job.name !== definition.jobName) throw this.refuse(job, 'unknown_job_name');
    const parsed = definition.payload.safeParse(job.data);
    if (!parsed.success) throw this.refuse(job, 'bad_payload');
    return parsed.data;
  }

  private refuse(job: Job, code: string): FailedAttempt {
    return this.describeAttempt(job, new PermanentJobError(code), 0, true);
  }

  private describeAttempt(job: Job, jobError: JobError, durationMs: number, refused: boolean): FailedAttempt {
    return new FailedAttempt(jobError, { attempt: job.attemptsMade + 1, durationMs, refused });
  }

  /** Moves a delayed job to the delayed jobs, and a job of a stopping worker back to the waiting ones. */
  private async moveJob(thrown: unknown, job: Job, token: string | undefined): Promise<void> {
    if (thrown instanceof DelayJob) {
      await job.moveToDelayed(this.options.clock.now() + thrown.delayMs, token);
      throw new DelayedError();
    }
    if (thrown instanceof ReturnJob) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
  }
}

function createContext(job: Job, attempts: number, signal: AbortSignal): JobContext {
  const attempt = job.attemptsMade + 1;
  return {
    jobId: job.id ?? '',
    attempt,
    attemptsLeft: Math.max(0, attempts - attempt),
    signal,
    delayJob(delayMs) {
      throw new DelayJob(delayMs);
    },
  };
}

function markSpan(span: Span | undefined, jobError: JobError, job: Job): void {
  span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.setAttributes({ 'error.type': jobError.code, 'annals.job.attempt': job.attemptsMade + 1 });
}
