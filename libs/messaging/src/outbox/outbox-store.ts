import type { BatchJob, QueueName } from '@annals/contracts';
import type { JobPosition } from '../job-queue/compute-priority.js';
import type { JobQueue } from '../job-queue/job-queue.js';

/** One stage of a batch: ids only. `trace` is the W3C traceparent of the request that caused it. */
export interface OutboxRow {
  readonly id: string;
  readonly tenantId: string;
  readonly queue: QueueName;
  readonly batchId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** A leased row, with its position among the jobs of its tenant. */
export type LeasedRow = OutboxRow & JobPosition;

export interface LeaseOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Maximum rows of one lease. */
  readonly limit: number;
  /** Rows in flight of one tenant and queue (docs/reference/queues.md#fair-release-per-tenant). */
  readonly perTenant: number;
  /** Duration of the lease in ms; after it another relay may take the rows. */
  readonly leaseMs: number;
}

export interface Lease {
  /** Due rows, round-robin over tenants, each now leased by this relay. */
  readonly rows: readonly LeasedRow[];
  /** Epoch ms at which the next row becomes due; null when no row waits for a later time. */
  readonly nextDueAt: number | null;
}

/**
 * The transactional outbox: work that waits until it is released to a queue. A row exists from the transaction that
 * creates the work to the transaction that records its result: waiting, then released, then deleted by the commit of
 * the worker.
 */
export interface OutboxStore {
  lease(options: LeaseOptions): Promise<Lease>;
  /** Marks rows as released to the queue. */
  markReleased(rows: readonly OutboxRow[], now: number): Promise<void>;
  /**
   * Rows released before `releasedBefore` whose batch is not leased by a live worker. Each is returned to one caller at
   * a time: it is not returned again before `recheckAfterMs` have passed.
   */
  findSuspects(options: {
    now: number;
    releasedBefore: number;
    recheckAfterMs: number;
    limit: number;
  }): Promise<readonly OutboxRow[]>;
  /** Sets rows whose job is missing back to waiting, under the next generation. Returns how many changed. */
  returnToWaiting(rows: readonly OutboxRow[], now: number): Promise<number>;
}

/** The producers that the outbox releases to. */
export type OutboxQueues = Readonly<Record<QueueName, JobQueue<BatchJob>>>;

export function toBatchJob(row: OutboxRow): BatchJob {
  return { tenantId: row.tenantId, batchId: row.batchId, generation: row.generation };
}

export function groupByQueue<Row extends OutboxRow>(rows: readonly Row[]): ReadonlyMap<QueueName, Row[]> {
  return Map.groupBy(rows, (row) => row.queue);
}
