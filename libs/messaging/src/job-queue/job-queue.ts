import type { QueueDefinition } from '@annals/contracts';
import type { Job, Queue } from 'bullmq';
import type { QueueGuard } from '../queue-backend/queue-guard.js';
import { buildJobOptions } from './job-options.js';
import type { FailedJob, JobState, JobToAdd, QueueCounts } from './job-queue.types.js';
import { startAddSpan } from './job-trace.js';

const COUNTED_STATES = ['waiting', 'active', 'delayed', 'prioritized', 'completed', 'failed'] as const;

/** The producer of one queue. Every method throws `QueueUnavailableError` when the queue does not answer in time. */
export class JobQueue<Payload> {
  constructor(
    readonly definition: QueueDefinition<string, Payload>,
    /** BullMQ's own queue, for the queue UI. */
    readonly bull: Queue,
    private readonly guard: QueueGuard,
  ) {}

  /** Adds all jobs in one command. A job whose id is still in the queue is ignored. */
  async addAll(jobs: readonly JobToAdd<Payload>[]): Promise<void> {
    if (jobs.length === 0) return;
    const spans = jobs.map(({ trace }) => startAddSpan(this.definition.name, trace));
    const rows = jobs.map((job, index) => ({
      name: this.definition.jobName,
      data: job.payload,
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
