import type { MindKind, MindTrigger } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { MindRunEntity } from '../entities/mind.entity.js';
import { type MindRunStart, startMindRun } from './mind-runs.js';

/** A run that was asked for by hand and is not over, or that waits to go on. */
export interface OpenMindRun {
  readonly id: string;
  readonly trigger: MindTrigger;
  readonly isDryRun: boolean;
}

/**
 * Asks for a run by hand, under an id that can be asked about at once, and does not let it wait for the mind's next turn,
 * nor in the line for energy. Ask for the work in the same transaction.
 */
export async function queueMindRun(tx: Tx, run: Omit<MindRunStart, 'trigger'>): Promise<void> {
  await startMindRun(tx, { ...run, trigger: 'manual' });
  await tx.execute(`UPDATE mind_runs SET state = 'queued' WHERE id = $1`, [run.id]);
  await tx.execute(
    `UPDATE work SET available_at = $3, rank_at = $3, deferred_reason = NULL
      WHERE subject_id = $1 AND kind = $2 AND deferred_reason IN ('not_due', 'energy') AND released_at IS NULL`,
    [run.subjectId, run.kind, new Date(run.startedAt)],
  );
}

/**
 * The open run of a kind about a subject that comes next: by hand, then the oldest; null without one. Read it under the
 * claim of its work: a run by hand that is recorded as running has lost its worker then, and goes on.
 */
export async function readOpenMindRun(tx: Tx, kind: MindKind, subjectId: string): Promise<OpenMindRun | null> {
  const [run] = await tx.query<Pick<MindRunEntity, 'id' | 'trigger' | 'is_dry_run'>>(
    `SELECT id, trigger, is_dry_run FROM mind_runs
      WHERE subject_id = $1 AND kind = $2
        AND (state IN ('queued', 'deferred') OR (state = 'running' AND trigger = 'manual'))
      ORDER BY trigger = 'manual' DESC, id LIMIT 1`,
    [subjectId, kind],
  );
  return run ? { id: run.id, trigger: run.trigger, isDryRun: run.is_dry_run } : null;
}

/** Marks runs that are recorded as running as interrupted, but for the open one. Under the claim they have no worker. */
export async function endLostMindRuns(
  tx: Tx,
  { kind, subjectId, now }: Pick<MindRunStart, 'kind' | 'subjectId'> & { readonly now: number },
  open: OpenMindRun | null,
): Promise<void> {
  await tx.execute(
    `UPDATE mind_runs SET state = 'failed', failure_code = 'interrupted', ended_at = $3
      WHERE subject_id = $1 AND kind = $2 AND state = 'running' AND id IS DISTINCT FROM $4`,
    [subjectId, kind, new Date(now), open?.id ?? null],
  );
}

/**
 * Begins a run under the claim of its work: goes on with the open one, or starts a new one. Any other run that is still
 * recorded as running has lost its worker. Returns the id.
 */
export async function beginMindRun(tx: Tx, start: MindRunStart, open: OpenMindRun | null): Promise<string> {
  const { kind, subjectId, startedAt } = start;
  await endLostMindRuns(tx, { kind, subjectId, now: startedAt }, open);
  if (open) {
    const resumed = await tx.execute(
      `UPDATE mind_runs SET state = 'running', failure_code = NULL, ended_at = NULL
        WHERE id = $1 AND state IN ('queued', 'deferred', 'running')`,
      [open.id],
    );
    if (resumed === 1) return open.id;
  }
  await startMindRun(tx, start);
  return start.id;
}
