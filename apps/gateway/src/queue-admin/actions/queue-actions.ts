import { queues as definitions, type WorkJob, type WorkKind } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { type JobState, QueueUnavailableError } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, INFRASTRUCTURE, type Infrastructure, LOGGER } from '@annals/runtime';
import {
  bringForward,
  type Database,
  readWorkStanding,
  releaseAnew,
  retryGeneration,
  type WorkStanding,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { OperatorSession } from '../session/session-token.js';
import type { SubjectOfWork } from './subject-of-work.js';

export type ActionOutcome = 'done' | 'moved_on' | 'not_found';
type Action = 'retry' | 'promote';

/** A job of the queue that carries work in its current generation. */
export interface CurrentJob {
  readonly id: string;
  readonly queue: WorkKind;
  readonly state: JobState;
}

/** Most failed jobs that one request retries, newest first. */
const MAX_RETRIED_JOBS = 500;

/**
 * What an operator may do about work. Every action names the generation that the operator saw and raises it, so that a
 * second request, another operator or a tenant's own replay finds that the work has moved on, and nothing runs twice
 * (docs/reference/queues.md#generations-make-old-jobs-stale). No action changes a job of the queue but to remove it.
 */
@Injectable()
export class QueueActions {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Pick<Infrastructure, 'queues' | 'relay'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  readStanding(subject: SubjectOfWork): Promise<WorkStanding | null> {
    return this.database.readTenant(subject.tenantId, (tx) => readWorkStanding(tx, subject, this.clock.now()));
  }

  /** The job of work that is in flight or has failed; null when the queue has none, or does not answer. */
  async findJob(subject: SubjectOfWork, standing: WorkStanding): Promise<CurrentJob | null> {
    const id = jobIdOf(subject, standing);
    const { kind } = standing;
    const states = await this.infrastructure.queues[kind].readStates([id]).catch(() => new Map<string, JobState>());
    const state = states.get(id) ?? 'missing';
    return state === 'missing' ? null : { id, queue: kind, state };
  }

  /** Replays work that has failed in this generation. */
  async retry(subject: SubjectOfWork, generation: number, by: OperatorSession): Promise<ActionOutcome> {
    return this.audit('retry', subject, generation, by, async () => {
      const failed = await this.readStanding(subject);
      const now = this.clock.now();
      const outcome = await this.database.inTenant(subject.tenantId, (tx) =>
        retryGeneration(tx, { ...subject, generation }, { now, ids: this.ids }),
      );
      if (outcome !== 'replayed') return outcome;
      this.infrastructure.relay.kick();
      if (failed?.generation === generation) await this.removeFailedJob(jobIdOf(subject, failed), failed.kind);
      return 'done';
    });
  }

  /** Makes work due that waits for a later time: in the database, or in the queue for its next attempt. */
  async promote(subject: SubjectOfWork, generation: number, by: OperatorSession): Promise<ActionOutcome> {
    return this.audit('promote', subject, generation, by, async () => {
      const standing = await this.readStanding(subject);
      if (!standing?.workId) return 'not_found';
      if (standing.generation !== generation) return 'moved_on';
      const isPromoted =
        standing.state === 'in_flight'
          ? await this.releaseDelayed(subject, { ...standing, workId: standing.workId })
          : await this.bringForward(subject, { generation, workId: standing.workId });
      if (isPromoted) this.infrastructure.relay.kick();
      return isPromoted ? 'done' : 'moved_on';
    });
  }

  /** Retries the newest failed jobs of a queue. Returns how many were replayed; others have moved on. */
  async retryFailed(kind: WorkKind, by: OperatorSession): Promise<number> {
    const jobs = await this.infrastructure.queues[kind].listFailedJobs({ limit: MAX_RETRIED_JOBS });
    let replayed = 0;
    for (const { payload } of jobs) {
      if (payload === null) continue;
      const { tenantId, subjectId, generation } = payload;
      const subject = { kind, tenantId, subjectId, path: '' };
      if ((await this.retry(subject, generation, by)) === 'done') replayed += 1;
    }
    return replayed;
  }

  /** Who removes the job may release its work anew; when that fails, the sweep does it later. */
  private async releaseDelayed(
    subject: SubjectOfWork,
    standing: WorkStanding & { readonly workId: string },
  ): Promise<boolean> {
    const { queues } = this.infrastructure;
    if (!(await queues[standing.kind].removeDelayedJob(jobIdOf(subject, standing)))) return false;
    const { workId, generation } = standing;
    return releaseAnew(this.database, { tenantId: subject.tenantId, workId, generation }, this.clock.now());
  }

  private bringForward({ tenantId }: SubjectOfWork, work: { workId: string; generation: number }): Promise<boolean> {
    return this.database.inTenant(tenantId, (tx) => bringForward(tx, work, this.clock.now()));
  }

  /** It is stale by now and would only look as if the work had still failed. */
  private async removeFailedJob(jobId: string, kind: WorkKind): Promise<void> {
    try {
      await this.infrastructure.queues[kind].removeFailedJobs([jobId]);
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
    }
  }

  private async audit(
    action: Action,
    { kind: queue, tenantId, subjectId }: SubjectOfWork,
    generation: number,
    { keyId: byKeyId }: OperatorSession,
    act: () => Promise<ActionOutcome>,
  ): Promise<ActionOutcome> {
    const line = { action, queue, tenantId, subjectId, generation, byKeyId };
    try {
      const outcome = await act();
      this.logger.info('queue_action', { ...line, outcome });
      return outcome;
    } catch (error) {
      this.logger.warn('queue_action', { ...line, outcome: 'failed', error });
      throw error;
    }
  }
}

/** Of its current generation. */
function jobIdOf({ tenantId, subjectId }: SubjectOfWork, { kind, workId, generation }: WorkStanding): string {
  const definition = definitions[kind];
  const isBatch = definition.subject === 'batch';
  const job: WorkJob = { tenantId, subjectId, generation, ...(isBatch || workId === null ? {} : { workId }) };
  return definition.jobId(job);
}
