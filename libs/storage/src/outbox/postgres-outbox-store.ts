import { type BatchPriority, INTERACTIVE_PRIORITY_BOOST_MS, type QueueName } from '@annals/contracts';
import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';
import type { OutboxEntity } from '../entities/outbox.entity.js';

type OutboxFunctionRow = Pick<OutboxEntity, 'tenant_id' | 'id' | 'queue' | 'batch_id' | 'generation' | 'trace'>;

type LeasedRow = OutboxFunctionRow & { lane: number; bulk: boolean };

/** Ids of one stage of work, in the shape that messaging's OutboxStore uses. */
export interface OutboxEntry {
  readonly id: string;
  readonly tenantId: string;
  readonly queue: QueueName;
  readonly batchId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** A leased row, with the attributes that determine its position in the queue. */
export interface LeasedEntry extends OutboxEntry {
  /** How many rows of its tenant and queue are ahead of it, in the queue or waiting. */
  readonly lane: number;
  /** Whether its batch yields to interactive ones. */
  readonly bulk: boolean;
}

/** The outbox table behind messaging's relay and sweep. Times are epoch ms. */
export class PostgresOutboxStore {
  /** Where the last lease ended: the next one starts with the tenant after it, so all are served in turn. */
  private lastServedLane: Lane = LANE_SCAN_START;

  constructor(private readonly database: Database) {}

  async lease(options: { now: number; limit: number; perTenant: number; leaseMs: number }) {
    const rows = await this.database.callAcrossTenants<LeasedRow>('lease_outbox', [
      new Date(options.now),
      options.limit,
      options.perTenant,
      options.leaseMs,
      this.lastServedLane.queue,
      this.lastServedLane.tenant_id,
    ]);
    this.lastServedLane = findLastLane(rows, this.lastServedLane);
    if (rows.length > 0) return { rows: rows.map(toLeasedEntry), nextDueAt: null };
    const due = await this.database.callScalarAcrossTenants<Date | null>('next_outbox_due', [new Date(options.now)]);
    return { rows: [], nextDueAt: due?.getTime() ?? null };
  }

  async markReleased(rows: readonly OutboxEntry[], now: number): Promise<void> {
    await this.database.callAcrossTenants('mark_outbox_released', [...toColumns(rows), new Date(now)]);
  }

  async findSuspects(options: { now: number; releasedBefore: number; recheckAfterMs: number; limit: number }) {
    const { now, releasedBefore, recheckAfterMs, limit } = options;
    const parameters = [new Date(now), new Date(releasedBefore), recheckAfterMs, limit];
    const rows = await this.database.callAcrossTenants<OutboxFunctionRow>('suspect_outbox', parameters);
    return rows.map(toEntry);
  }

  async returnToWaiting(rows: readonly OutboxEntry[], now: number): Promise<number> {
    return this.database.callScalarAcrossTenants<number>('return_outbox', [...toColumns(rows), new Date(now)]);
  }
}

/** One tenant's part of one queue. */
type Lane = Pick<OutboxFunctionRow, 'tenant_id'> & { readonly queue: string };

const LANE_SCAN_START: Lane = { queue: '', tenant_id: NIL_UUID };

/** The last lane in a circular scan that starts after `start`. */
function findLastLane(lanes: readonly Lane[], start: Lane): Lane {
  const before = lanes.filter((lane) => !isAfter(lane, start));
  const round = before.length > 0 ? before : lanes;
  return round.reduce<Lane | null>((last, lane) => (last && !isAfter(lane, last) ? last : lane), null) ?? start;
}

function isAfter(lane: Lane, other: Lane): boolean {
  return lane.queue === other.queue ? lane.tenant_id > other.tenant_id : lane.queue > other.queue;
}

function toColumns(rows: readonly OutboxEntry[]) {
  return [rows.map((row) => row.tenantId), rows.map((row) => row.id), rows.map((row) => row.generation)];
}

function toEntry(row: OutboxFunctionRow): OutboxEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    queue: row.queue,
    batchId: row.batch_id,
    generation: row.generation,
    trace: row.trace,
  };
}

function toLeasedEntry(row: LeasedRow): LeasedEntry {
  return { ...toEntry(row), lane: row.lane, bulk: row.bulk };
}

/** Number of waiting and in-flight rows by queue, over all tenants. */
export async function readOutboxDepth(
  database: Database,
): Promise<{ queue: QueueName; waiting: number; inFlight: number }[]> {
  const rows = await database.callAcrossTenants<Pick<OutboxEntity, 'queue'> & { waiting: string; in_flight: string }>(
    'outbox_depth',
  );
  return rows.map((row) => ({ queue: row.queue, waiting: Number(row.waiting), inFlight: Number(row.in_flight) }));
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
