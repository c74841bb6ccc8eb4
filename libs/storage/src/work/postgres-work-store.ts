import {
  type BatchPriority,
  INTERACTIVE_PRIORITY_BOOST_MS,
  type WorkDeferralReason,
  type WorkKind,
} from '@annals/contracts';
import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';
import type { WorkEntity } from '../entities/work.entity.js';

type WorkFunctionRow = Pick<WorkEntity, 'tenant_id' | 'id' | 'kind' | 'subject_id' | 'generation' | 'trace'>;

type LeasedRow = WorkFunctionRow & { lane: number; bulk: boolean };

/** Ids of one row of work, in the shape that messaging's WorkStore uses. */
export interface WorkEntry {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: WorkKind;
  readonly subjectId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** A leased row, with the attributes that determine its position in the queue. */
export interface LeasedEntry extends WorkEntry {
  /** How many rows of its tenant and kind are ahead of it, in the queue or waiting. */
  readonly lane: number;
  /** Whether it yields to interactive work. */
  readonly bulk: boolean;
}

/** The table of work behind messaging's relay and sweep. Times are epoch ms. */
export class PostgresWorkStore {
  /** Where the last lease ended: the next one starts with the tenant after it, so all are served in turn. */
  private lastServedLane: Lane = LANE_SCAN_START;

  constructor(private readonly database: Database) {}

  async lease(options: { now: number; limit: number; perTenant: number; leaseMs: number }) {
    const rows = await this.database.callAcrossTenants<LeasedRow>('lease_work', [
      new Date(options.now),
      options.limit,
      options.perTenant,
      options.leaseMs,
      this.lastServedLane.kind,
      this.lastServedLane.tenant_id,
    ]);
    this.lastServedLane = findLastLane(rows, this.lastServedLane);
    if (rows.length > 0) return { rows: rows.map(toLeasedEntry), nextDueAt: null };
    const due = await this.database.callScalarAcrossTenants<Date | null>('next_work_due', [new Date(options.now)]);
    return { rows: [], nextDueAt: due?.getTime() ?? null };
  }

  async markReleased(rows: readonly WorkEntry[], now: number): Promise<void> {
    await this.database.callAcrossTenants('mark_work_released', [...toColumns(rows), new Date(now)]);
  }

  async findSuspects(options: { now: number; releasedBefore: number; recheckAfterMs: number; limit: number }) {
    const { now, releasedBefore, recheckAfterMs, limit } = options;
    const parameters = [new Date(now), new Date(releasedBefore), recheckAfterMs, limit];
    const rows = await this.database.callAcrossTenants<WorkFunctionRow>('suspect_work', parameters);
    return rows.map(toEntry);
  }

  async returnToWaiting(rows: readonly WorkEntry[], now: number): Promise<number> {
    return this.database.callScalarAcrossTenants<number>('return_work', [...toColumns(rows), new Date(now)]);
  }
}

/** One tenant's part of one kind of work. */
type Lane = Pick<WorkFunctionRow, 'tenant_id'> & { readonly kind: string };

const LANE_SCAN_START: Lane = { kind: '', tenant_id: NIL_UUID };

/** The last lane in a circular scan that starts after `start`. */
function findLastLane(lanes: readonly Lane[], start: Lane): Lane {
  const before = lanes.filter((lane) => !isAfter(lane, start));
  const round = before.length > 0 ? before : lanes;
  return round.reduce<Lane | null>((last, lane) => (last && !isAfter(lane, last) ? last : lane), null) ?? start;
}

function isAfter(lane: Lane, other: Lane): boolean {
  return lane.kind === other.kind ? lane.tenant_id > other.tenant_id : lane.kind > other.kind;
}

function toColumns(rows: readonly WorkEntry[]) {
  return [rows.map((row) => row.tenantId), rows.map((row) => row.id), rows.map((row) => row.generation)];
}

function toEntry(row: WorkFunctionRow): WorkEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    subjectId: row.subject_id,
    generation: row.generation,
    trace: row.trace,
  };
}

function toLeasedEntry(row: LeasedRow): LeasedEntry {
  return { ...toEntry(row), lane: row.lane, bulk: row.bulk };
}

/** Number of deferred rows by reason, over all tenants; reasons without rows are left out. */
export async function readDeferredWork(database: Database): Promise<ReadonlyMap<WorkDeferralReason, number>> {
  const rows = await database.callAcrossTenants<{ reason: WorkDeferralReason; work: string }>('deferred_work');
  return new Map(rows.map(({ reason, work }) => [reason, Number(work)]));
}

/** Final states of the batches of all tenants since `since` (epoch ms). */
export async function countRecentBatchOutcomes(
  database: Database,
  since: number,
): Promise<{ done: number; failed: number }> {
  const [row] = await database.callAcrossTenants<{ done: string; failed: string }>('recent_batch_outcomes', [
    new Date(since),
  ]);
  return { done: Number(row!.done), failed: Number(row!.failed) };
}

/** Rank of work that is due at `availableAt` (epoch ms), by which the work of a tenant is ordered. */
export function rankAt(availableAt: number, priority: BatchPriority): Date {
  return new Date(priority === 'interactive' ? availableAt - INTERACTIVE_PRIORITY_BOOST_MS : availableAt);
}
