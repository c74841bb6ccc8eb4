import type { Clock, JsonValue } from '@annals/domain';
import type { Database } from '@annals/storage';

/** Input of one run of a job. */
export interface MaintenanceRun {
  readonly database: Database;
  readonly clock: Clock;
  /** Aborted when the process stops or another one has the job: return the progress as soon as possible. */
  readonly signal: AbortSignal;
  /** The cursor that the previous run returned when it was not finished; null starts from the beginning. */
  readonly cursor: JsonValue | null;
  /** Time in ms before other jobs run; work that has started is finished. */
  readonly budgetMs: number;
}

/** Progress of one run. */
export interface MaintenanceProgress {
  /** Number of changes, in the unit of the job: rows, units, memories. */
  readonly done: number;
  /** Where the next run continues, without a delay; null when nothing is left until the next interval. */
  readonly cursor: JsonValue | null;
  /** The error of a part of the work, while the rest was done: the run counts as failed and the job still continues. */
  readonly problem?: unknown;
}

/**
 * Periodic background work. One process of the fleet runs it at a time. A process may be killed at any moment: the
 * changes of a run are committed in transactions of their own, and repeating it from the same cursor changes nothing.
 */
export interface MaintenanceJob {
  /** Fixed in the code: it is a label of metrics and the key of the lease. */
  readonly name: string;
  /** From the end of one pass to the start of the next, in ms. */
  readonly intervalMs: number;
  run(run: MaintenanceRun): Promise<MaintenanceProgress>;
}

/** Whether a run may start another piece of work; call the result before each. */
export function startTimeBudget({ signal, budgetMs }: Pick<MaintenanceRun, 'signal' | 'budgetMs'>): () => boolean {
  const endsMs = performance.now() + budgetMs;
  return () => !signal.aborted && performance.now() < endsMs;
}
