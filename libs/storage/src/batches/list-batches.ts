import type { BatchPage, ListBatchesQuery } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { Binder } from '../query/binder.js';
import { type BatchRow, toBatch } from './batch-row.js';

/**
 * Batches by filters, newest first; with `agentId` those that contain a message of this agent. Throws
 * InvalidCursorError.
 */
export async function listBatches(
  tx: Tx,
  query: ListBatchesQuery & { readonly agentId: string | null },
): Promise<BatchPage> {
  const before = parseCursor(query.cursor, ['uuid']);
  const { bind, values } = new Binder();
  const conditions = ['true'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined && value !== null) conditions.push(condition(bind(value)));
  };
  add((p) => `b.id < ${p}`, before?.[0]);
  // Filters by the conversation: there is an index for a user's threads, but none for a user's batches.
  add((p) => `c.user_id = ${p}`, query.user_id);
  add((p) => `c.thread_id = ${p}`, query.thread_id);
  add((p) => `b.conversation_id = ${p}`, query.conversation_id);
  add((p) => `b.state = ${p}`, query.status);
  // Matches the partial index of failed batches.
  if (query.status === 'failed') conditions.push('b.error_code IS NOT NULL');
  add(
    (p) =>
      `EXISTS (SELECT FROM messages m WHERE m.tenant_id = b.tenant_id AND m.batch_id = b.id AND m.agent_id = ${p})`,
    query.agentId,
  );
  const rows = await tx.query<BatchRow>(
    `SELECT b.*, c.thread_id FROM batches b
       JOIN conversations c ON c.tenant_id = b.tenant_id AND c.id = b.conversation_id
      WHERE ${conditions.join(' AND ')} ORDER BY b.id DESC LIMIT ${bind(query.limit + 1)}`,
    values,
  );
  return buildPage(rows, query.limit, toBatch, (row) => [row.id]);
}
