import type { Tx } from '../database/transaction.js';

/** `agent_id` of a batch's conversation. */
export async function loadBatchAgent(tx: Tx, batchId: string): Promise<string | null> {
  const [row] = await tx.query<{ agent_id: string | null }>(
    'SELECT c.agent_id FROM batches b JOIN conversations c ON c.tenant_id = b.tenant_id AND c.id = b.conversation_id WHERE b.id = $1',
    [batchId],
  );
  return row?.agent_id ?? null;
}
