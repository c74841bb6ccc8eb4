import { isBatchKind, type WorkJob, type WorkKind } from '@annals/contracts';
import type { JobPosition } from '../job-queue/compute-priority.js';
import type { JobQueue } from '../job-queue/job-queue.js';

/** Work of one kind about one subject: ids only. `trace` is the W3C traceparent of the request that caused it. */
export interface WorkRow {
  readonly id: string;
  readonly tenantId: string;
  /** The name of its queue. */
  readonly kind: WorkKind;
  readonly subjectId: string;
  readonly generation: number;
  readonly trace: string | null;
}

/** A leased row, with its position among the jobs of its tenant. */
export type LeasedRow = WorkRow & JobPosition;

export interface LeaseOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Maximum rows of one lease. */
  readonly limit: number;
  /** Rows in flight of one tenant and kind (docs/reference/queues.md#fair-release-per-tenant). */
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
export interface WorkStore {
  lease(options: LeaseOptions): Promise<Lease>;
  /** Marks rows as released to the queue. */
  markReleased(rows: readonly WorkRow[], now: number): Promise<void>;
  /**
   * Rows released before `releasedBefore` that no live worker has claimed. Each is returned to one caller at
   * a time: it is not returned again before `recheckAfterMs` have passed.
   */
  findSuspects(options: {
    now: number;
    releasedBefore: number;
    recheckAfterMs: number;
    limit: number;
  }): Promise<readonly WorkRow[]>;
  /** Sets rows whose job is missing back to waiting, under the next generation. Returns how many changed. */
  returnToWaiting(rows: readonly WorkRow[], now: number): Promise<number>;
}

/** The producers that the outbox releases to: one for each kind of work. */
export type WorkQueues = Readonly<Record<WorkKind, JobQueue<WorkJob>>>;

/**
 * Whether this process has a queue for a kind of work. It has none for kinds of a later release, whose processes run
 * already during an upgrade and release them.
 */
export function isKnownKind(queues: WorkQueues, kind: string): boolean {
  return Object.hasOwn(queues, kind);
}

export function toWorkJob({ id, kind, tenantId, subjectId, generation }: WorkRow): WorkJob {
  return { tenantId, subjectId, ...(isBatchKind(kind) ? {} : { workId: id }), generation };
}

export function groupByKind<Row extends WorkRow>(rows: readonly Row[]): ReadonlyMap<WorkKind, Row[]> {
  return Map.groupBy(rows, (row) => row.kind);
}
