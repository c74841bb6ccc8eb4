import { WORK_KINDS, type WorkKind } from '@annals/contracts';
import type { Database } from '../database/database.js';

/** Rows of one kind over all tenants, of each state {@link COUNTED_AT_MOST} at most. */
export interface WorkLoad {
  readonly kind: WorkKind;
  /** Due, and not with the queue yet. */
  readonly due: number;
  /** Asked for or deferred to a later time. */
  readonly scheduled: number;
  readonly inFlight: number;
  readonly failed: number;
  /** Since the oldest row became due that is due or in flight, in ms; 0 without one. */
  readonly oldestDueMs: number;
  /** Since the oldest row was released that is in flight, in ms; 0 without one. */
  readonly oldestInFlightMs: number;
}

/** A scrape reads this many rows of each state and kind at most: some 10 ms of PostgreSQL. */
const COUNTED_AT_MOST = 100_000;

interface LoadRow {
  readonly kind: WorkKind;
  readonly due: string;
  readonly scheduled: string;
  readonly in_flight: string;
  readonly failed: string;
  readonly due_since: Date | null;
  readonly released_since: Date | null;
}

/** The load of every kind of work at `now` (epoch ms), also of kinds without rows. */
export async function measureWork(database: Database, now: number): Promise<WorkLoad[]> {
  const parameters = [WORK_KINDS, new Date(now), COUNTED_AT_MOST];
  const rows = await database.callAcrossTenants<LoadRow>('measure_work', parameters);
  const ageOf = (since: Date | null): number => (since === null ? 0 : Math.max(0, now - since.getTime()));
  return rows.map((row) => ({
    kind: row.kind,
    due: Number(row.due),
    scheduled: Number(row.scheduled),
    inFlight: Number(row.in_flight),
    failed: Number(row.failed),
    oldestDueMs: ageOf(row.due_since),
    oldestInFlightMs: ageOf(row.released_since),
  }));
}
