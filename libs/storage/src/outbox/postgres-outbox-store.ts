import type { QueueName } from '@annals/contracts';
import type { Database } from '../database/database.js';

interface OutboxFunctionRow {
  tenant_id: string;
  id: string;
  queue: QueueName;
  batch_id: string;
  generation: number;
  trace: string | null;
}

/** Ids of one stage of work; the shape messaging's OutboxStore speaks of. */
export interface OutboxEntry {
  readonly id: string;
  readonly tenantId: string;
  readonly queue: QueueName;
  readonly batchId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** The outbox table behind messaging's relay and sweep. Times are epoch ms. */
export class PostgresOutboxStore {
  constructor(private readonly database: Database) {}

  async lease(options: { now: number; limit: number; perTenant: number; leaseMs: number }) {
    const rows = await this.database.callAcross<OutboxFunctionRow>('lease_outbox($1, $2, $3, $4)', [
      new Date(options.now),
      options.limit,
      options.perTenant,
      options.leaseMs,
    ]);
    if (rows.length > 0) return { rows: rows.map(toEntry), nextDueAt: null };
    const [due] = await this.database.callAcross<{ next_outbox_due: Date | null }>('next_outbox_due($1)', [
      new Date(options.now),
    ]);
    return { rows: [], nextDueAt: due?.next_outbox_due?.getTime() ?? null };
  }

  async markReleased(rows: readonly OutboxEntry[], now: number): Promise<void> {
    await this.database.callAcross('mark_outbox_released($1, $2, $3, $4)', [...columnsOf(rows), new Date(now)]);
  }

  async findSuspects(options: { now: number; releasedBefore: number; recheckAfterMs: number; limit: number }) {
    const rows = await this.database.callAcross<OutboxFunctionRow>('suspect_outbox($1, $2, $3, $4)', [
      new Date(options.now),
      new Date(options.releasedBefore),
      options.recheckAfterMs,
      options.limit,
    ]);
    return rows.map(toEntry);
  }

  async returnToWaiting(rows: readonly OutboxEntry[], now: number): Promise<number> {
    const [result] = await this.database.callAcross<{ return_outbox: number }>('return_outbox($1, $2, $3, $4)', [
      ...columnsOf(rows),
      new Date(now),
    ]);
    return result!.return_outbox;
  }
}

function columnsOf(rows: readonly OutboxEntry[]) {
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
