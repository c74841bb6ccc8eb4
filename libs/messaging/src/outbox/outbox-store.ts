import type { QueueName } from '@annals/contracts';
import type { JobPosition } from '../job-queue/compute-priority.js';

/** One stage of work as it goes to a queue: ids only. `trace` is the W3C traceparent of the request that caused it. */
export interface OutboxRow {
  readonly id: string;
  readonly tenantId: string;
  readonly queue: QueueName;
  readonly batchId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** A row that was leased, with what its position among the jobs on the queue depends on. */
export type LeasedRow = OutboxRow & JobPosition;

export interface LeaseOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Most rows of one lease. */
  readonly limit: number;
  /**
   * Most rows of one tenant and queue that may be with the queue at the same time
   * (docs/reference/queues.md#fair-release-per-tenant).
   */
  readonly perTenant: number;
  /** How long the lease holds before another relay may take the rows. */
  readonly leaseMs: number;
}

export interface Lease {
  /** Due rows, round-robin over tenants, each now held by this relay. */
  readonly rows: readonly LeasedRow[];
  /** Epoch ms at which the next row falls due, if one is waiting for its time. */
  readonly nextDueAt: number | null;
}

/**
 * Where work waits until it is released to a queue. An outbox row lives from the transaction that caused the work to
 * the transaction that records its result: waiting, then released, then deleted by the worker's commit.
 */
export interface OutboxStore {
  lease(options: LeaseOptions): Promise<Lease>;
  /** The rows are with the queue now. */
  markReleased(rows: readonly OutboxRow[], now: number): Promise<void>;
  /**
   * Released rows older than `releasedBefore` whose batch no live worker holds. Each is handed out to one caller at a
   * time: it is not returned again before `recheckAfterMs` have passed.
   */
  findSuspects(options: {
    now: number;
    releasedBefore: number;
    recheckAfterMs: number;
    limit: number;
  }): Promise<readonly OutboxRow[]>;
  /** The queue knows nothing of these rows: they wait again, under the next generation. Answers how many changed. */
  returnToWaiting(rows: readonly OutboxRow[], now: number): Promise<number>;
}
