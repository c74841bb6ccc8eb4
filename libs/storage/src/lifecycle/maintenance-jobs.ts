import type { JsonValue } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { MaintenanceJobEntity } from '../entities/maintenance-job.entity.js';

/** A job that this process may run now. */
export interface LeasedMaintenanceJob {
  readonly name: string;
  readonly cursor: JsonValue | null;
  /** Number of consecutive failed runs. */
  readonly failures: number;
}

interface LeaseHolder {
  readonly name: string;
  /** Id of the process that holds the lease. */
  readonly holder: string;
  /** Epoch ms. */
  readonly now: number;
}

/** Leases the job that has been due longest among `names`, or returns null when none is due and free. */
export async function leaseMaintenanceJob(
  database: Database,
  lease: { readonly names: readonly string[]; readonly holder: string; readonly now: number; readonly leaseMs: number },
): Promise<LeasedMaintenanceJob | null> {
  const parameters = [lease.names, lease.holder, new Date(lease.now), lease.leaseMs];
  const [row] = await database.callAcrossTenants<LeasedMaintenanceJob>('lease_maintenance', parameters);
  return row ?? null;
}

/** Returns false when another process holds the job now. */
export async function renewMaintenanceLease(
  database: Database,
  { name, holder, now, leaseMs }: LeaseHolder & { readonly leaseMs: number },
): Promise<boolean> {
  return database.callScalarAcrossTenants<boolean>('renew_maintenance', [name, holder, new Date(now), leaseMs]);
}

/** Releases a job with the result of its run. Returns false when another process holds the job now. */
export async function finishMaintenanceJob(
  database: Database,
  end: LeaseHolder & {
    /** Epoch ms of the next run. */
    readonly dueAt: number;
    readonly done: number;
    /** Type of the error, or null. */
    readonly error: string | null;
    readonly cursor: JsonValue | null;
  },
): Promise<boolean> {
  const { name, holder, now, dueAt, done, error } = end;
  const cursor = end.cursor === null ? null : JSON.stringify(end.cursor);
  const parameters = [name, holder, new Date(now), new Date(dueAt), cursor, done, error];
  return database.callScalarAcrossTenants<boolean>('finish_maintenance', parameters);
}

/** Status of a job, for operators. Times are epoch ms. */
export interface MaintenanceStatus {
  readonly name: string;
  readonly dueAt: number;
  readonly leaseUntil: number | null;
  readonly isInProgress: boolean;
  /** When a pass was last completed. */
  readonly completedAt: number | null;
  readonly runs: number;
  readonly done: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly failedAt: number | null;
}

type MaintenanceStatusRow = Omit<MaintenanceJobEntity, 'leased_by' | 'cursor'> & { under_way: boolean };

/** Every job that has ever run, by name. */
export async function readMaintenanceStatus(database: Database): Promise<MaintenanceStatus[]> {
  const rows = await database.callAcrossTenants<MaintenanceStatusRow>('maintenance_standing');
  return rows.map((row) => ({
    name: row.name,
    dueAt: row.due_at.getTime(),
    leaseUntil: row.lease_until?.getTime() ?? null,
    isInProgress: row.under_way,
    completedAt: row.completed_at?.getTime() ?? null,
    runs: Number(row.runs),
    done: Number(row.done),
    failures: row.failures,
    lastError: row.last_error,
    failedAt: row.failed_at?.getTime() ?? null,
  }));
}
