import type { Clock, JsonValue } from '@annals/domain';
import type { Database } from '@annals/storage';

/** What one run of a job gets. */
export interface MaintenanceRun {
  readonly database: Database;
  readonly clock: Clock;
  /** Aborted when the process stops or another one has the job: return what was reached as soon as possible. */
  readonly signal: AbortSignal;
  /** What the run before answered, when it was not finished; null begins anew. */
  readonly cursor: JsonValue | null;
  /** Time to work before the others get their turn, in ms; whatever is begun then is finished. */
  readonly budgetMs: number;
}

/** How far a run came. */
export interface MaintenanceProgress {
  /** What it changed, in the job's own unit: rows, units, memories. */
  readonly done: number;
  /** Where the next run goes on, at once; null when there is nothing left until the next interval. */
  readonly cursor: JsonValue | null;
  /** What went wrong with a part of it, while the rest was done: the run counts as failed and goes on all the same. */
  readonly problem?: unknown;
}

/**
 * Work behind everybody's back. One process of the fleet runs it at a time. A process may be killed at any moment: what
 * a run did is done in transactions of its own, and doing it again from the same cursor changes nothing.
 */
export interface MaintenanceJob {
  /** Of the code: it is a metric's label and the key of the lease. */
  readonly name: string;
  /** From the end of one pass to the beginning of the next. */
  readonly intervalMs: number;
  run(run: MaintenanceRun): Promise<MaintenanceProgress>;
}

/** Whether a run may begin another piece of work: asked before each. */
export function startTimeBudget({ signal, budgetMs }: Pick<MaintenanceRun, 'signal' | 'budgetMs'>): () => boolean {
  const endsMs = performance.now() + budgetMs;
  return () => !signal.aborted && performance.now() < endsMs;
}
