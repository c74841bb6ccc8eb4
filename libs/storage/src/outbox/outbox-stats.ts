import type { QueueName } from '@annals/contracts';
import type { Database } from '../database/database.js';
import type { OutboxEntity } from '../entities/outbox.entity.js';

/** Number of waiting and in-flight rows by queue, over all tenants. */
export async function readOutboxDepth(
  database: Database,
): Promise<{ queue: QueueName; waiting: number; inFlight: number }[]> {
  const rows = await database.callAcrossTenants<Pick<OutboxEntity, 'queue'> & { waiting: string; in_flight: string }>(
    'outbox_depth()',
  );
  return rows.map((row) => ({ queue: row.queue, waiting: Number(row.waiting), inFlight: Number(row.in_flight) }));
}

/** Final states of the batches of all tenants since `since` (epoch ms). */
export async function countRecentBatchOutcomes(
  database: Database,
  since: number,
): Promise<{ done: number; failed: number }> {
  const [row] = await database.callAcrossTenants<{ done: string; failed: string }>('recent_batch_outcomes($1)', [
    new Date(since),
  ]);
  return { done: Number(row!.done), failed: Number(row!.failed) };
}
