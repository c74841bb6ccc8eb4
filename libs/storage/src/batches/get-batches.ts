import type { Batch } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import { toBatch, type BatchRow } from './batch-row.js';

/** The batches of these ids in the order given; ids the tenant does not have are left out. */
export async function getBatches(tx: Tx, ids: readonly string[]): Promise<Batch[]> {
  const rows = await tx.query<BatchRow>(
    `SELECT b.*, c.thread_id FROM batches b
       JOIN conversations c ON c.tenant_id = b.tenant_id AND c.id = b.conversation_id
      WHERE b.id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => (byId.has(id) ? [toBatch(byId.get(id)!)] : []));
}

/**
 * Whether any message of the batch came through this agent
 * (docs/reference/memory-model.md#scope-fields-and-source-filters).
 */
export async function isBatchOfAgent(tx: Tx, id: string, agentId: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM messages WHERE batch_id = $1 AND agent_id = $2 LIMIT 1', [id, agentId]);
  return rows.length > 0;
}

/** The revision of each batch: a cheap check for changes. */
export async function readBatchRevisions(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<Pick<BatchEntity, 'id' | 'revision'>>(
    'SELECT id, revision FROM batches WHERE id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.revision]));
}
