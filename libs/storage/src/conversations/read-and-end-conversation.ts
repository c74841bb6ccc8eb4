import type { Conversation, StoredMessage } from '@annals/contracts';
import { type IdGenerator, removeHidden } from '@annals/domain';
import { askForAppMemory } from '../app-memories/ask-for-app-memory.js';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { askForSummaries } from '../summaries/ask-for-summaries.js';
import { sealBatches } from './accept-messages.js';
import { HEAD_COLUMNS, type HeadRow, toHead } from './conversation-head.js';

type MessageRow = Pick<
  MessageEntity,
  'id' | 'external_id' | 'seq' | 'role' | 'actor_id' | 'content' | 'said_at' | 'batch_id'
>;

/** A conversation with one page of its messages in order, or null when the tenant has none with this id. */
export async function getConversation(
  tx: Tx,
  id: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Conversation | null> {
  const after = parseCursor(page.cursor, ['integer']);
  const [conversations, messages] = await allOf([
    tx.query<HeadRow>(`SELECT ${HEAD_COLUMNS} FROM conversations WHERE id = $1`, [id]),
    tx.query<MessageRow>(
      `SELECT id, external_id, seq, role, actor_id, content, said_at, batch_id
         FROM messages WHERE conversation_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3`,
      [id, after?.[0] ?? -1, page.limit + 1],
    ),
  ]);
  const row = conversations[0];
  if (!row) return null;
  const toItem = ({ said_at, content, ...message }: MessageRow): StoredMessage => {
    return { ...message, content: removeHidden(content), created_at: said_at.toISOString() };
  };
  const { items, next_cursor } = buildPage(messages, page.limit, toItem, (message) => [message.seq]);
  return { ...toHead(row), messages: items, next_cursor };
}

export interface EndConversationResult {
  readonly conversationId: string;
  /** Epoch ms of the first end since the conversation was last reopened by messages. */
  readonly endedAt: number;
  /** Batches that were open before this call. */
  readonly batchIds: readonly string[];
}

/**
 * Ends a conversation, seals its open batch, and asks for its summary and the memory of its app. Null when the tenant has no such conversation.
 */
export async function endConversation(
  tx: Tx,
  conversationId: string,
  now: number,
  work: { readonly ids: IdGenerator; readonly trace: string | null },
): Promise<EndConversationResult | null> {
  const [row] = await tx.query<Pick<ConversationEntity, 'app_id'> & { ended_at: Date }>(
    `UPDATE conversations SET ended_at = coalesce(ended_at, $2), updated_at = $2 WHERE id = $1
     RETURNING ended_at, app_id`,
    [conversationId, new Date(now)],
  );
  if (!row) return null;
  const open = await tx.query<Pick<BatchEntity, 'id'>>(
    'SELECT id FROM batches WHERE conversation_id = $1 AND sealed_at IS NULL FOR UPDATE',
    [conversationId],
  );
  const batchIds = open.map((batch) => batch.id);
  if (batchIds.length > 0) await sealBatches(tx, batchIds, now);
  await allOf([
    askForSummaries(tx, [conversationId], { ...work, now, availableAt: now }),
    ...(row.app_id === null ? [] : [askForAppMemory(tx, [conversationId], { ...work, now })]),
  ]);
  return { conversationId, endedAt: row.ended_at.getTime(), batchIds };
}
