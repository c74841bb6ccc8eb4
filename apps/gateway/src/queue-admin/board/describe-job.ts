import type { QueueDefinition, WorkJob } from '@annals/contracts';

/** What a queue stores of a job, as far as it is looked at. */
export interface StoredJob {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: unknown;
  readonly timestamp: number;
  readonly processedOn?: number | undefined;
  readonly finishedOn?: number | undefined;
  readonly attemptsMade: number;
  readonly delay?: number | undefined;
  readonly priority?: number | undefined;
  readonly failedReason?: string | undefined;
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/;
/** BullMQ's own words for a job that lost its worker too often. */
const STALLED = 'job stalled more than allowable limit';

/**
 * What the queue UI shows of a job: times, counts, error code, and of its payload the ids and the generation. Everything
 * else is left out, whatever somebody has put into the queue: result, progress, logs, stack, options, other data.
 */
export function describeJob(job: StoredJob, definition: QueueDefinition<string, WorkJob>) {
  const payload = readPayload(job, definition);
  return {
    id: job.id,
    name: job.name === definition.jobName ? job.name : 'unknown',
    timestamp: job.timestamp,
    processedOn: job.processedOn ?? null,
    finishedOn: job.finishedOn ?? null,
    attemptsMade: job.attemptsMade,
    delay: job.delay ?? 0,
    failedReason: describeFailure(job.failedReason),
    data: payload,
    opts: { attempts: definition.attempts, ...(job.priority === undefined ? {} : { priority: job.priority }) },
    stacktrace: [],
    progress: 0,
    returnvalue: null,
  };
}

/** Null for a payload that is not of the queue. */
function readPayload({ data }: Pick<StoredJob, 'data'>, definition: QueueDefinition<string, WorkJob>) {
  const parsed = definition.payload.safeParse(data);
  return parsed.success ? parsed.data : null;
}

function describeFailure(reason: string | undefined): string {
  if (!reason) return '';
  if (reason === STALLED) return 'stalled';
  return CODE.test(reason) ? reason : 'unknown';
}

/** Whether an id is one of the jobs of Annals; others are not shown, since an id can be any text. */
export function isOwnJobId(id: string | undefined, { name }: Pick<QueueDefinition, 'name'>): id is string {
  if (id === undefined || !id.startsWith(`${name}-`)) return false;
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{1,9}$/.test(id.slice(name.length + 1));
}
