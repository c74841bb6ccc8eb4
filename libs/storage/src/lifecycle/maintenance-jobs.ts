import type { JsonValue } from '@annals/domain';
import type { Database } from '../database/database.js';

/** A job that this process may run now. */
export interface LeasedMaintenance {
  readonly name: string;
  readonly cursor: JsonValue | null;
  /** How many runs failed since one did not. */
  readonly failures: number;
}

interface Held {
  readonly name: string;
  /** Id of the process. */
  readonly holder: string;
  /** Epoch ms. */
  readonly now: number;
}

/** Takes the job that is due longest among `names`, or answers null when none is due and free. */
export async function leaseMaintenance(
  database: Database,
  lease: { readonly names: readonly string[]; readonly holder: string; readonly now: number; readonly leaseMs: number },
): Promise<LeasedMaintenance | null> {
  const [row] = await database.callAcross<LeasedMaintenance>('lease_maintenance($1, $2, $3, $4)', [
    lease.names,
    lease.holder,
    new Date(lease.now),
    lease.leaseMs,
  ]);
  return row ?? null;
}

/** Answers false when another process has the job by now. */
export async function renewMaintenance(
  database: Database,
  { name, holder, now, leaseMs }: Held & { readonly leaseMs: number },
): Promise<boolean> {
  const [row] = await database.callAcross<{ renew_maintenance: boolean }>('renew_maintenance($1, $2, $3, $4)', [
    name,
    holder,
    new Date(now),
    leaseMs,
  ]);
  return row!.renew_maintenance;
}

/** Gives a job back with what became of its run; answers false when another process has it by now. */
export async function finishMaintenance(
  database: Database,
  end: Held & {
    /** Epoch ms of the next run. */
    readonly dueAt: number;
    readonly done: number;
    /** Kind of what went wrong, or null. */
    readonly error: string | null;
    readonly cursor: JsonValue | null;
  },
): Promise<boolean> {
  const [row] = await database.callAcross<{ finish_maintenance: boolean }>(
    'finish_maintenance($1, $2, $3, $4, $5, $6, $7)',
    [
      end.name,
      end.holder,
      new Date(end.now),
      new Date(end.dueAt),
      end.cursor === null ? null : JSON.stringify(end.cursor),
      end.done,
      end.error,
    ],
  );
  return row!.finish_maintenance;
}

/** How a job stands, for whoever looks after the system. Times are epoch ms. */
export interface MaintenanceStanding {
  readonly name: string;
  readonly dueAt: number;
  readonly leaseUntil: number | null;
  readonly isUnderWay: boolean;
  /** When a pass last came to its end. */
  readonly completedAt: number | null;
  readonly runs: number;
  readonly done: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly failedAt: number | null;
}

interface StandingRow {
  name: string;
  due_at: Date;
  lease_until: Date | null;
  under_way: boolean;
  completed_at: Date | null;
  runs: string;
  done: string;
  failures: number;
  last_error: string | null;
  failed_at: Date | null;
}

/** Every job that ever ran, by name. */
export async function readMaintenance(database: Database): Promise<MaintenanceStanding[]> {
  const rows = await database.callAcross<StandingRow>('maintenance_standing()');
  return rows.map((row) => ({
    name: row.name,
    dueAt: row.due_at.getTime(),
    leaseUntil: row.lease_until?.getTime() ?? null,
    isUnderWay: row.under_way,
    completedAt: row.completed_at?.getTime() ?? null,
    runs: Number(row.runs),
    done: Number(row.done),
    failures: row.failures,
    lastError: row.last_error,
    failedAt: row.failed_at?.getTime() ?? null,
  }));
}
