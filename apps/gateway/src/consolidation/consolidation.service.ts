import { type ConsolidationChange, type MindRun, ProblemError, type routes } from '@annals/contracts';
import { type Clock, DAY_MS, type IdGenerator } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, LOGGER, METRICS, randomBytes, RELAY } from '@annals/runtime';
import {
  type Database,
  enqueueWork,
  listMindRuns,
  queueMindRun,
  readMindRun,
  readRunChanges,
  readSubjectOfUser,
  type RunChangeRow,
  type Tx,
  undoRun,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

const KIND = 'consolidation';

/** Runs of consolidation: asked for by hand, reported, undone. The queue does the work. */
@Injectable()
export class ConsolidationService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'minds' | 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  async start(call: Call<typeof routes.startConsolidation>) {
    const { body, caller } = call;
    const { user_id: userId, dry_run: isDryRun } = body;
    if (!this.config.minds.isOn) {
      throw new ProblemError('minds_off', 'Set ANNALS_MINDS to on, in all services, to run minds.');
    }
    const answer = await this.writes.run(call, async (tx) => {
      const subjectId = await readSubjectOfUser(tx, userId);
      if (subjectId === null) throw new ProblemError('not_found', 'There is no user with this `user_id`.');
      const [id, now] = [this.ids.next(), this.clock.now()];
      await queueMindRun(tx, { id, kind: KIND, subjectId, userId, isDryRun, startedAt: now });
      await enqueueWork(tx, [{ kind: KIND, subjectId, availableAt: now, trace: null }], { now, ids: this.ids });
      return { userId, answer: { status: 202, body: { run_id: id, status_url: `/v1/consolidation/runs/${id}` } } };
    });
    this.relay.kick();
    this.logger.info('consolidation_requested', { tenantId: tenantOf(caller), byKeyId: caller.keyId, isDryRun });
    return answer;
  }

  async list({ query, caller }: Call<typeof routes.listConsolidationRuns>) {
    return this.database.readTenant(tenantOf(caller), (tx) => listMindRuns(tx, { ...query, kind: KIND }));
  }

  async get({ params, caller }: Call<typeof routes.getConsolidationRun>) {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const run = await findRun(tx, params.id);
      return { ...run, changes: (await readRunChanges(tx, run.id)).map(toChange) };
    });
  }

  async undo(call: Call<typeof routes.undoConsolidationRun>) {
    const { params, caller } = call;
    const { clock, ids } = this;
    const { purgeAfterMs, mindRecordsRetentionMs } = this.config.retention;
    return this.writes.run(call, async (tx) => {
      const run = await findRun(tx, params.id, ` ${describeRetention(mindRecordsRetentionMs)}`);
      const isEmpty = run.state !== 'done' && !(await readRunChanges(tx, run.id)).some(isWritten);
      if (run.user_id === null || run.dry_run || isEmpty) throw notUndoable(run);
      const undone = await undoRun(
        tx,
        { runId: run.id, userId: run.user_id, actor: actorOf(caller) },
        { clock, ids, randomBytes, purgeAfterMs },
      );
      if (!undone) throw notUndoable(await findRun(tx, params.id));
      const { tenantId, keyId } = { tenantId: tenantOf(caller), keyId: caller.keyId };
      return {
        userId: run.user_id,
        answer: ok({ run_id: run.id, ...undone }),
        afterCommit: () => {
          this.metrics.inc('memory_llm_consolidations_undone_total');
          this.logger.info('consolidation_undone', { tenantId, runId: run.id, byKeyId: keyId });
        },
      };
    });
  }
}

async function findRun(tx: Tx, id: string, hint = ''): Promise<MindRun> {
  const run = await readMindRun(tx, id);
  if (run?.kind !== KIND) throw new ProblemError('not_found', `There is no run of consolidation with this id.${hint}`);
  return run;
}

function describeRetention(retentionMs: number): string {
  return `Runs can be undone for ${retentionMs / DAY_MS} days after their end (ANNALS_MIND_RUNS_KEEP_DAYS); then their records are deleted.`;
}

function isWritten({ state }: RunChangeRow): boolean {
  return state === 'written';
}

function notUndoable({ dry_run: isDryRun, state }: MindRun): ProblemError {
  if (isDryRun) return new ProblemError('run_not_undoable', 'This was a dry run: it changed nothing.');
  const reasons: Partial<Record<MindRun['state'], string>> = {
    undone: 'This run was undone already.',
    queued: 'This run has not begun.',
    running: 'This run is in work: undo it once it has ended or waits.',
  };
  return new ProblemError('run_not_undoable', reasons[state] ?? `This run is ${state} and has changed nothing.`);
}

function toChange(row: RunChangeRow): ConsolidationChange {
  const { ordinal, change, state, reason, memory_ids, revisions_before, revisions_after, result_id } = row;
  return {
    ordinal,
    change,
    state,
    reason,
    memory_ids,
    revisions_before,
    revisions_after,
    result_id,
    numbers: { ...row.numbers },
    left_reason: row.left_reason,
    changed_at: row.changed_at.toISOString(),
  };
}
