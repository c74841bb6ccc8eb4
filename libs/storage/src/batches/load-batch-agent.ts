import { defineRead } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/** `agent_id` of a batch's conversation. */
export async function loadBatchAgent(tx: Tx, batchId: string): Promise<string | null> {
  const [row] = await tx.each(AGENT, { batch_id: batchId });
  return row?.agent_id ?? null;
}

const AGENT = defineRead<{ batch_id: string }, { agent_id: string | null }>(
  'batch_id uuid',
  `SELECT c.agent_id FROM batches b JOIN conversations c ON c.tenant_id = b.tenant_id AND c.id = b.conversation_id
    WHERE b.id = given.batch_id OFFSET 0`,
);
