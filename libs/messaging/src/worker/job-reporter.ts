import type { WorkKind } from '@annals/contracts';
import type { Logger, Metrics } from '@annals/observability';
import type { Job } from 'bullmq';
import type { FailedAttempt, JobError } from './job-error.js';
import type { JobOutcome } from './job-worker.types.js';

/** A job that takes longer than this share of its timeout is logged at info. */
const SLOW_SHARE = 0.5;

/** Logs and metrics of one queue. Ordinary jobs are logged at debug: at level info they cost a comparison. */
export class JobReporter {
  constructor(
    private readonly queue: WorkKind,
    private readonly timeoutMs: number,
    private readonly logger: Logger,
    private readonly metrics: Pick<Metrics, 'add' | 'inc' | 'observe'>,
  ) {
    // A rate misses the first increment of a series that begins with it.
    for (const outcome of ['completed', 'failed', 'exhausted', 'refused'] as const)
      metrics.add('memory_llm_jobs_total', 0, { queue, outcome });
    metrics.add('memory_llm_jobs_stalled_total', 0, { queue });
  }

  started(job: Job): void {
    const { queue } = this;
    if (job.attemptsStarted <= 1) this.metrics.observe('memory_llm_job_wait_ms', computeWaitMs(job), { queue });
    if (!this.logger.isEnabled('debug')) return;
    this.logger.debug('job_started', { queue, jobId: job.id ?? '', attempt: job.attemptsMade + 1 });
  }

  completed(job: Job, durationMs: number, outcome: JobOutcome): void {
    const labels = { queue: this.queue, outcome: 'completed' } as const;
    this.metrics.inc('memory_llm_jobs_total', labels);
    this.metrics.observe('memory_llm_job_run_ms', durationMs, labels);
    const level = durationMs > this.timeoutMs * SLOW_SHARE ? 'info' : 'debug';
    if (!this.logger.isEnabled(level)) return;
    this.logger[level]('job_complete', {
      queue: this.queue,
      jobId: job.id ?? '',
      attempt: job.attemptsMade + 1,
      durationMs: Math.round(durationMs),
      waitMs: computeWaitMs(job),
      outcome,
    });
  }

  failed(jobId: string, { jobError, facts }: FailedAttempt, isLast: boolean): void {
    const { queue } = this;
    const outcome = facts.refused ? 'refused' : isLast ? 'exhausted' : 'failed';
    this.metrics.inc('memory_llm_jobs_total', { queue, outcome });
    this.metrics.observe('memory_llm_job_run_ms', facts.durationMs, { queue, outcome });
    const about = { queue, jobId, attempt: facts.attempt, reason: jobError.code };
    if (jobError.kind === 'unexpected') this.reportUnexpectedError(jobId, facts.attempt, jobError);
    if (facts.refused) this.logger.error('job_refused', about);
    else if (isLast) this.logger.error('job_exhausted', { ...about, error: jobError });
    else this.logger.warn('job_failed', { ...about, durationMs: Math.round(facts.durationMs), error: jobError });
  }

  /** The queue failed a job that none of its attempts ended: its workers died repeatedly. */
  abandoned(job: Job, jobError: JobError): void {
    const { queue } = this;
    this.metrics.inc('memory_llm_jobs_total', { queue, outcome: 'exhausted' });
    this.logger.error('job_exhausted', { queue, jobId: job.id ?? '', attempt: job.attemptsMade, error: jobError });
  }

  stalled(jobId: string): void {
    this.metrics.inc('memory_llm_jobs_stalled_total', { queue: this.queue });
    this.logger.warn('job_stalled', { queue: this.queue, jobId });
  }

  lockLost(jobId: string): void {
    this.logger.warn('job_lock_lost', { queue: this.queue, jobId });
  }

  private reportUnexpectedError(jobId: string, attempt: number, jobError: JobError): void {
    this.logger.error('job_unexpected_error', { queue: this.queue, jobId, attempt, error: jobError.cause ?? jobError });
  }
}

/** Time in ms from when the job was due until it was taken; for a retry, from when it was first due. */
function computeWaitMs(job: Job): number {
  return Math.max(0, (job.processedOn ?? job.timestamp) - job.timestamp - (job.delay ?? 0));
}
