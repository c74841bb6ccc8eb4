import { z } from 'zod';
import { uuidSchema } from '../primitives.js';

/** Waiting time before the next attempt: `delayMs · 2^(attempt-1)`, spread by `jitter` (0–1). */
export interface ExponentialBackoff {
  readonly type: 'exponential';
  readonly delayMs: number;
  readonly jitter: number;
}

/** What the work of a queue is about: the row that `subjectId` names (docs/reference/work.md#subjects). */
export type WorkSubject = 'batch' | 'user' | 'conversation' | 'tenant' | 'dry_run';

/** Everything about one queue, declared once: producer, consumer, relay and queue UI use the same definition. */
export interface QueueDefinition<Name extends string = string, Payload = unknown, Subject = WorkSubject> {
  /** Also the kind of its work rows. Stored in Redis and PostgreSQL: a rename orphans what waits. */
  readonly name: Name;
  /** The one job name of this queue; a consumer rejects any other. */
  readonly jobName: string;
  readonly subject: Subject;
  readonly payload: z.ZodType<Payload>;
  /** What the queue stores of a job; `payload` reads it. */
  readonly data: (payload: Payload) => object;
  /** The same stage of the same generation is one job, however often it is added. No `:`, not digits only (BullMQ). */
  readonly jobId: (payload: Payload) => string;
  /** Attempts in all, the first included; then the job stays in the failed set, visible and replayable. */
  readonly attempts: number;
  readonly backoff: ExponentialBackoff;
  /** A handler that runs longer is aborted and the attempt fails. */
  readonly timeoutMs: number;
  /** Jobs one worker process handles at the same time, unless configuration says otherwise. */
  readonly concurrency: number;
  /** A worker that does not renew its lock for this long counts as dead. */
  readonly lockDurationMs: number;
  /** Interval of the check for dead workers. */
  readonly stalledIntervalMs: number;
  /** How often a job may lose its worker before it fails: kills are normal, but a poison job must not run for ever. */
  readonly maxStalledCount: number;
}

/** Checks a definition's name and returns it with its types. */
export function defineQueue<const Name extends string, Payload, Subject extends WorkSubject>(
  definition: QueueDefinition<Name, Payload, Subject>,
): QueueDefinition<Name, Payload, Subject> {
  if (definition.name.includes(':')) throw new Error(`Rename queue ${definition.name}: BullMQ reserves ":".`);
  return definition;
}

/**
 * Ids only: queues carry no content (docs/reference/queues.md#queues-carry-ids). `subjectId` is what the work is about
 * (docs/reference/work.md#subjects): the id of a batch, conversation or tenant, or the `subject_id` of a user.
 * `generation` grows with every replay, deferral and sweep, and with
 * every request during a run, so that a job of an older generation is recognised as stale
 * (docs/reference/queues.md#generations-make-old-jobs-stale).
 */
export const workJobSchema = z.object({
  tenantId: uuidSchema,
  subjectId: uuidSchema,
  /** The row of work. Absent for batches, whose rows count on, and in jobs of the release before. */
  workId: uuidSchema.optional(),
  generation: z.number().int().min(1),
});
export type WorkJob = z.infer<typeof workJobSchema>;

/** What every queue whose subject is a batch has in common. The release before knew the subject as `batchId` only. */
const aboutBatch = {
  subject: 'batch',
  payload: z.preprocess(
    (data) =>
      data !== null && typeof data === 'object' && 'batchId' in data ? { subjectId: data.batchId, ...data } : data,
    workJobSchema,
  ),
  data: (job: WorkJob) => ({ ...job, batchId: job.subjectId }),
} as const;

const aboutUser = { subject: 'user', payload: workJobSchema, data: (job: WorkJob) => job } as const;
const aboutConversation = { ...aboutUser, subject: 'conversation' } as const;

/** A row that ended is deleted, and the next one about its subject begins with the first generation again. */
const jobIdOf = (kind: string) => (job: WorkJob) => `${kind}-${job.workId ?? job.subjectId}-${job.generation}`;

/**
 * A killed worker's job loses its lock after 5 s and is assigned again by the next stalled check, one or two intervals
 * later (docs/reference/queues.md#recovery-of-a-killed-workers-job). A lock that a busy process renews too late does no
 * harm: that process goes on while the work's lease holds, and the job that was assigned twice waits for its end.
 */
const recovery = { lockDurationMs: 5_000, stalledIntervalMs: 5_000, maxStalledCount: 20 };

/** Messages of a sealed batch become extracted memories. */
export const extractionQueue = defineQueue({
  name: 'extraction',
  jobName: 'extract-batch',
  ...aboutBatch,
  jobId: jobIdOf('extraction'),
  attempts: 6,
  // The last attempt starts about a minute after the first (2+4+8+16+32 s).
  backoff: { type: 'exponential', delayMs: 2_000, jitter: 0.5 },
  // Enough for a model's retries and its fallback; the next run of the job does what remains.
  timeoutMs: 300_000,
  concurrency: 8,
  ...recovery,
});

/** Extracted memories of a batch are written with history and sources in one transaction. */
export const persistenceQueue = defineQueue({
  name: 'persistence',
  jobName: 'persist-batch',
  ...aboutBatch,
  jobId: jobIdOf('persistence'),
  attempts: 8,
  // The last attempt starts about two minutes after the first: longer than a database restart takes.
  backoff: { type: 'exponential', delayMs: 1_000, jitter: 0.5 },
  timeoutMs: 60_000,
  concurrency: 8,
  ...recovery,
});

/** A user's memories that were stored without a vector get one, with their relations and similarity checks. */
export const vectorsQueue = defineQueue({
  name: 'vectors',
  jobName: 'add-vectors',
  ...aboutUser,
  jobId: jobIdOf('vectors'),
  // Outages defer the work, so an attempt is only used up by what should not happen.
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000, jitter: 0.5 },
  timeoutMs: 120_000,
  concurrency: 2,
  ...recovery,
});

/** A user's items of LangGraph's store whose texts were stored without a vector get one. */
export const itemVectorsQueue = defineQueue({
  name: 'item_vectors',
  jobName: 'add-item-vectors',
  ...aboutUser,
  jobId: jobIdOf('item_vectors'),
  // Outages defer the work, so an attempt is only used up by what should not happen.
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000, jitter: 0.5 },
  // Texts can be long, and a model inside of the process takes its time for each.
  timeoutMs: 300_000,
  concurrency: 2,
  ...recovery,
});

/**
 * What queues of minds have in common: they call models for minutes, wait for energy and budgets in the database, and
 * share a process with what people wait for, so few run at once.
 */
const ofMind = {
  // Outages and refused calls defer the work, so an attempt is only used up by what should not happen.
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000, jitter: 0.5 },
  timeoutMs: 300_000,
  concurrency: 2,
  ...recovery,
} as const;

/** What a user's messages and memories suggest beyond what they say becomes insights. */
export const insightsQueue = defineQueue({
  name: 'insights',
  jobName: 'infer-insights',
  ...aboutUser,
  jobId: jobIdOf('insights'),
  ...ofMind,
});

/** A user's memories are merged, linked and ranked anew. */
export const consolidationQueue = defineQueue({
  name: 'consolidation',
  jobName: 'consolidate-memories',
  ...aboutUser,
  jobId: jobIdOf('consolidation'),
  ...ofMind,
});

/** A conversation is summarised, and evicted from what a summary covers. */
export const summaryQueue = defineQueue({
  name: 'summary',
  jobName: 'summarize-conversation',
  ...aboutConversation,
  jobId: jobIdOf('summary'),
  ...ofMind,
});

/** A conversation of an app that has ended becomes a memory of the app. */
export const appMemoryQueue = defineQueue({
  name: 'app_memory',
  jobName: 'remember-conversation',
  ...aboutConversation,
  jobId: jobIdOf('app_memory'),
  ...ofMind,
});

/** Somebody waits to hear what would be remembered of messages. */
export const dryRunQueue = defineQueue({
  name: 'dry_run',
  jobName: 'try-conversation',
  ...aboutUser,
  subject: 'dry_run',
  jobId: jobIdOf('dry_run'),
  // What fails is told to who waits; only a killed worker leaves it to another one.
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 500, jitter: 0.5 },
  timeoutMs: 60_000,
  concurrency: 2,
  ...recovery,
});

/** The files of a user's memories are brought up to date, or removed behind an erasure. */
export const vaultQueue = defineQueue({
  name: 'vault',
  jobName: 'write-vault',
  ...aboutUser,
  jobId: jobIdOf('vault'),
  // A folder that cannot be written defers the work, so an attempt is only used up by what should not happen.
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000, jitter: 0.5 },
  // A history that is rewritten to forget something can be long: more than one run of Git may take (10 minutes).
  timeoutMs: 900_000,
  concurrency: 2,
  ...recovery,
});

/**
 * Every queue, and with it every kind of work (docs/reference/work.md#adding-a-kind-of-work). Producers, relay, sweep,
 * gauges and the labels of metrics are made from this table.
 */
export const queues = {
  extraction: extractionQueue,
  persistence: persistenceQueue,
  vectors: vectorsQueue,
  item_vectors: itemVectorsQueue,
  insights: insightsQueue,
  consolidation: consolidationQueue,
  summary: summaryQueue,
  app_memory: appMemoryQueue,
  dry_run: dryRunQueue,
  vault: vaultQueue,
} as const;

/** The kind of a work row is the name of its queue. */
export type WorkKind = keyof typeof queues;
export const WORK_KINDS = Object.keys(queues) as WorkKind[];

/** The kinds of work that are about a `Subject`. */
export type WorkKindOf<Subject extends WorkSubject> = {
  [Kind in WorkKind]: (typeof queues)[Kind]['subject'] extends Subject ? Kind : never;
}[WorkKind];

/** Work of the minds: what thinks about memories in the background (docs/reference/minds.md). */
export const MIND_KINDS = ['insights', 'consolidation', 'summary', 'app_memory'] as const satisfies readonly WorkKind[];
export type MindKind = (typeof MIND_KINDS)[number];

export function isMindKind(kind: WorkKind): kind is MindKind {
  return (MIND_KINDS as readonly WorkKind[]).includes(kind);
}

/** The stages of the pipeline: their claims, deferrals and failures are in the row of the batch. */
export function isBatchKind(kind: WorkKind): kind is WorkKindOf<'batch'> {
  return queues[kind].subject === 'batch';
}

/**
 * Head start of interactive work over bulk work that is due at the same time, in the outbox and again on the queue
 * (docs/reference/queues.md#priority-and-ageing). Bulk work that has waited longer than this goes first: it ages by
 * construction and never starves.
 */
export const INTERACTIVE_PRIORITY_BOOST_MS = 60_000;
