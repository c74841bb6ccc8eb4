import type { BatchJob, QueueName } from '@annals/contracts';
import type { JobQueue } from '../job-queue/job-queue.js';
import type { OutboxRow } from './outbox-store.js';

/** The producers that the outbox releases to. */
export type OutboxQueues = Readonly<Record<QueueName, JobQueue<BatchJob>>>;

export function toBatchJob(row: OutboxRow): BatchJob {
  return { tenantId: row.tenantId, batchId: row.batchId, generation: row.generation };
}

export function groupByQueue<Row extends OutboxRow>(rows: readonly Row[]): ReadonlyMap<QueueName, Row[]> {
  return Map.groupBy(rows, (row) => row.queue);
}
