import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import { sealBatches } from './accept-messages.js';

export interface EndConversationResult {
  readonly conversationId: string;
  /** Epoch ms of the first end since the conversation was last reopened by messages. */
  readonly endedAt: number;
  /** Batches that were open before this call. */
  readonly batchIds: readonly string[];
}

/** Ends a conversation and seals its open batch. Null when the tenant has no such conversation. */
export async function endConversation(
  tx: Tx,
  conversationId: string,
  now: number,
): Promise<EndConversationResult | null> {
  const [row] = await tx.query<{ ended_at: Date }>(
    `UPDATE conversations SET ended_at = coalesce(ended_at, $2), updated_at = $2 WHERE id = $1 RETURNING ended_at`,
    [conversationId, new Date(now)],
  );
  if (!row) return null;
  const open = await tx.query<Pick<BatchEntity, 'id'>>(
    'SELECT id FROM batches WHERE conversation_id = $1 AND sealed_at IS NULL FOR UPDATE',
    [conversationId],
  );
  const batchIds = open.map((batch) => batch.id);
  if (batchIds.length > 0) await sealBatches(tx, batchIds, now);
  return { conversationId, endedAt: row.ended_at.getTime(), batchIds };
}
