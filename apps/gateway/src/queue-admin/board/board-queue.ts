import { BaseAdapter } from '@bull-board/api/dist/queueAdapters/base.js';
import type { JobCounts, JobStatus, QueueJob, QueueJobJson, QueueMetrics, Status } from '@bull-board/api/typings/app';
import type { WorkJob, WorkKind } from '@annals/contracts';
import type { JobQueue } from '@annals/messaging';
import { subjectOf } from '../actions/subject-of-work.js';
import { describeJob, isOwnJobId, type StoredJob } from './describe-job.js';

const STATES = ['active', 'waiting', 'prioritized', 'completed', 'failed', 'delayed'] as const satisfies JobStatus[];

/** What the jobs of a queue can be asked for; a job of BullMQ has more. */
type QueuedJob = StoredJob & { getState(): Promise<string> };

/**
 * A queue as Bull Board sees it: read-only, with jobs that tell ids and times only. Nothing here can change the queue;
 * each job links to the page of its work, where an operator can retry or promote it.
 */
export class BoardQueue extends BaseAdapter {
  constructor(private readonly queue: JobQueue<WorkJob>) {
    super('bullmq', {
      readOnlyMode: true,
      externalJobUrl: (job) => describeLink(queue.definition.name as WorkKind, job),
    });
  }

  getName(): string {
    return this.queue.definition.name;
  }

  getStatuses(): Status[] {
    return ['latest', ...STATES];
  }

  getJobStatuses(): JobStatus[] {
    return [...STATES];
  }

  getJobCounts(): Promise<JobCounts> {
    return this.queue.ask('count jobs', async (bull) => (await bull.getJobCounts(...STATES)) as JobCounts);
  }

  async getJobs(states: JobStatus[], start?: number, end?: number): Promise<QueueJob[]> {
    const jobs = await this.queue.ask(
      'list jobs',
      (bull) => bull.getJobs(states as never, start, end) as Promise<(QueuedJob | undefined)[]>,
    );
    return jobs.flatMap((job) => (job && isOwnJobId(job.id, this.queue.definition) ? [this.show(job)] : []));
  }

  async getJob(id: string): Promise<QueueJob | null> {
    if (!isOwnJobId(id, this.queue.definition)) return null;
    const job = await this.queue.ask('read a job', (bull) => bull.getJob(id) as Promise<QueuedJob | undefined>);
    return job ? this.show(job) : null;
  }

  isPaused(): Promise<boolean> {
    return this.queue.ask('ask whether the queue is paused', (bull) => bull.isPaused());
  }

  /** Logs can hold anything, and Annals writes none. */
  async getJobLogs(): Promise<string[]> {
    return [];
  }

  async getRedisInfo(): Promise<null> {
    return null;
  }

  async getMetrics(): Promise<QueueMetrics> {
    return { meta: { count: 0, prevTS: 0, prevCount: 0 }, data: [], count: 0 };
  }

  async getJobSchedulers(): Promise<never[]> {
    return [];
  }

  async getJobSchedulersCount(): Promise<number> {
    return 0;
  }

  async getGlobalConcurrency(): Promise<null> {
    return null;
  }

  clean = refuse;
  addJob = refuse;
  pause = refuse;
  resume = refuse;
  empty = refuse;
  obliterate = refuse;
  promoteAll = refuse;
  removeJobScheduler = refuse;
  updateJobScheduler = refuse;
  runJobSchedulerNow = refuse;
  setGlobalConcurrency = refuse;

  private show(job: QueuedJob): QueueJob {
    const shown = describeJob(job, this.queue.definition);
    return {
      opts: {},
      promote: refuse,
      remove: refuse,
      retry: refuse,
      toJSON: () => shown,
      getState: () => job.getState() as ReturnType<QueueJob['getState']>,
    };
  }
}

/** The link from a job to the page of its work, unless its payload is none of ours. */
function describeLink(kind: WorkKind, { data, failedReason, finishedOn }: QueueJobJson) {
  if (data === null) return undefined as never;
  const displayText = failedReason && finishedOn ? 'Retry' : 'Its work';
  return { href: subjectOf(kind, data as WorkJob).path, displayText };
}

async function refuse(): Promise<never> {
  throw new Error('The queue UI changes no queue: retry and promote work on its own page.');
}
