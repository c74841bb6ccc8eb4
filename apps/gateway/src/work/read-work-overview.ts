import type { Clock } from '@annals/domain';
import { type Database, explainWork, measureWork, type WorkLoad, type WorkReason } from '@annals/storage';

/** Work of one kind over all tenants, batches included. */
export interface KindOfWork extends WorkLoad {
  readonly deferred: number;
  /** Most frequent first within a state. */
  readonly reasons: readonly WorkReason[];
}

/** The work of all tenants by kind, as it is in PostgreSQL: counts, codes and ages only. */
export async function readWorkOverview(database: Database, clock: Pick<Clock, 'now'>): Promise<KindOfWork[]> {
  // One after the other: an overview takes one connection at a time.
  const loads = await measureWork(database, clock.now());
  const reasons = await explainWork(database);
  return loads.map((load) => addReasons(load, reasons));
}

/** Failures and deferrals of batches are in their own rows, so both are counted by their reasons. */
function addReasons(load: WorkLoad, all: readonly WorkReason[]): KindOfWork {
  const reasons = all.filter(({ kind }) => kind === load.kind);
  const countOf = (state: WorkReason['state']) =>
    reasons.reduce((sum, reason) => sum + (reason.state === state ? reason.rows : 0), 0);
  return { ...load, deferred: countOf('deferred'), failed: countOf('failed'), reasons };
}
