import type { ListMindRunsQuery, MindKind, MindRun, MindRunPage, MindRunState, MindTrigger } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { MindRunEntity } from '../entities/mind.entity.js';
import { Binder, columnsSql } from '../query/binder.js';

export interface MindRunStart {
  readonly id: string;
  readonly kind: MindKind;
  /** As of its work: `users.subject_id`, or the id of a conversation. */
  readonly subjectId: string;
  /** Whose data it is about; null when it is about nobody's. */
  readonly userId: string | null;
  readonly trigger: MindTrigger;
  readonly isDryRun: boolean;
  /** Epoch ms. */
  readonly startedAt: number;
}

/** Records that a run begins. Throws a foreign key violation when its user or tenant was deleted meanwhile. */
export async function startMindRun(tx: Tx, run: MindRunStart): Promise<void> {
  const { id, kind, subjectId, userId, trigger, isDryRun, startedAt } = run;
  await tx.execute(
    `INSERT INTO mind_runs (id, kind, subject_id, user_id, trigger, is_dry_run, started_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, kind, subjectId, userId, trigger, isDryRun, new Date(startedAt)],
  );
}

export interface MindRunEnd {
  readonly id: string;
  readonly state: Exclude<MindRunState, 'queued' | 'running' | 'undone'>;
  /** The watermark that the run saw, or left; null when it knew none. */
  readonly watermark: string | null;
  /** What this part of it read and changed, by name: numbers only. Added to those of earlier parts. */
  readonly counts: Readonly<Record<string, number>>;
  /** Numbers that say how things are now: they replace those of earlier parts. */
  readonly latest?: Readonly<Record<string, number>>;
  /** A stable code. */
  readonly failureCode?: string;
  /** Epoch ms. */
  readonly endedAt: number;
}

/** Records how a run ended. Does nothing for a run that has ended, or was deleted with its subject. */
export async function endMindRun(tx: Tx, end: MindRunEnd): Promise<void> {
  const { id, state, watermark, counts, latest = {}, failureCode, endedAt } = end;
  await tx.execute(
    `UPDATE mind_runs
        SET state = $2, watermark = $3, counts = ${ADDED_COUNTS} || $5, failure_code = $6, ended_at = $7
      WHERE id = $1 AND state IN ('queued', 'running')`,
    [id, state, watermark, JSON.stringify(counts), JSON.stringify(latest), failureCode ?? null, new Date(endedAt)],
  );
}

const ADDED_COUNTS = `(
  SELECT coalesce(jsonb_object_agg(c.name, c.total), '{}')
    FROM (SELECT p.key AS name, sum(p.value::numeric) AS total
            FROM (SELECT * FROM jsonb_each_text(counts) UNION ALL SELECT * FROM jsonb_each_text($4)) p
           GROUP BY p.key) c)`;

/** Marks a run as undone, so that it does not go on. False while it is queued or in work, or when it is undone already. */
export async function markMindRunUndone(tx: Tx, id: string): Promise<boolean> {
  const marked = await tx.execute(
    `UPDATE mind_runs SET state = 'undone' WHERE id = $1 AND state IN ('done', 'deferred', 'failed')`,
    [id],
  );
  return marked === 1;
}

/** What calls of models added to a run. */
export interface MindRunCosts {
  readonly calls: number;
  readonly energyMilli: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
}

/** Adds what calls cost to their run. Negative energy is energy that was given back. */
export async function addMindRunCosts(tx: Tx, id: string, costs: MindRunCosts): Promise<void> {
  const { calls, energyMilli, inputTokens, outputTokens, costMicroUsd } = costs;
  await tx.execute(
    `UPDATE mind_runs
        SET calls = calls + $2, energy_milli = energy_milli + $3, input_tokens = input_tokens + $4,
            output_tokens = output_tokens + $5, cost_micro_usd = cost_micro_usd + $6
      WHERE id = $1`,
    [id, calls, energyMilli, inputTokens, outputTokens, costMicroUsd],
  );
}

const COLUMNS = [
  'id',
  'kind',
  'subject_id',
  'user_id',
  'trigger',
  'is_dry_run',
  'state',
  'counts',
  'calls',
  'energy_milli',
  'input_tokens',
  'output_tokens',
  'cost_micro_usd',
  'failure_code',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof MindRunEntity)[];

type MindRunRow = Pick<MindRunEntity, (typeof COLUMNS)[number]>;

const SELECT_RUN = `SELECT ${columnsSql('r', COLUMNS)} FROM mind_runs r`;

function toMindRun(row: MindRunRow): MindRun {
  return {
    id: row.id,
    kind: row.kind,
    subject_id: row.subject_id,
    user_id: row.user_id,
    trigger: row.trigger,
    dry_run: row.is_dry_run,
    state: row.state,
    counts: { ...row.counts },
    calls: row.calls,
    energy: Number(row.energy_milli) / 1_000,
    tokens: { input: Number(row.input_tokens), output: Number(row.output_tokens) },
    cost_micro_usd: Number(row.cost_micro_usd),
    failure_code: row.failure_code,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** The tenant's runs by filters, newest first. Throws InvalidCursorError. */
export async function listMindRuns(tx: Tx, query: ListMindRunsQuery): Promise<MindRunPage> {
  const before = parseCursor(query.cursor, ['uuid']);
  const binder = new Binder();
  binder.where((p) => `r.id < ${p}`, before?.[0]);
  binder.where((p) => `r.kind = ${p}`, query.kind);
  binder.where((p) => `r.state = ${p}`, query.state);
  binder.where((p) => `r.user_id = ${p}`, query.user_id);
  const rows = await tx.query<MindRunRow>(
    `${SELECT_RUN} WHERE ${binder.whereSql()} ORDER BY r.id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, query.limit, toMindRun, (row) => [row.id]);
}

export async function readMindRun(tx: Tx, id: string): Promise<MindRun | null> {
  const [row] = await tx.query<MindRunRow>(`${SELECT_RUN} WHERE r.id = $1`, [id]);
  return row ? toMindRun(row) : null;
}

/** The last run of a kind about a subject that was done: when it ended (epoch ms), and the watermark that it saw. */
export async function readLastMindRun(
  tx: Tx,
  { kind, subjectId }: Pick<MindRunStart, 'kind' | 'subjectId'>,
): Promise<{ readonly endedAt: number; readonly watermark: string | null } | null> {
  const [row] = await tx.query<Pick<MindRunEntity, 'ended_at' | 'watermark'>>(
    `SELECT ended_at, watermark FROM mind_runs
      WHERE subject_id = $1 AND kind = $2 AND state IN ('done', 'undone') AND NOT is_dry_run AND ended_at IS NOT NULL
      ORDER BY id DESC LIMIT 1`,
    [subjectId, kind],
  );
  return row ? { endedAt: row.ended_at!.getTime(), watermark: row.watermark } : null;
}
