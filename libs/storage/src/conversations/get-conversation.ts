import type { Conversation, StoredMessage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';

type ConversationRow = Omit<ConversationEntity, 'tenant_id'>;

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
    tx.query<ConversationRow>(
      `SELECT id, user_id, thread_id, agent_id, run_id, app_id, message_count, created_at, updated_at, ended_at
         FROM conversations WHERE id = $1`,
      [id],
    ),
    tx.query<MessageRow>(
      `SELECT id, external_id, seq, role, actor_id, content, said_at, batch_id
         FROM messages WHERE conversation_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3`,
      [id, after?.[0] ?? -1, page.limit + 1],
    ),
  ]);
  const row = conversations[0];
  if (!row) return null;
  const { items, next_cursor } = buildPage(messages, page.limit, toStoredMessage, (message) => [message.seq]);
  return {
    id: row.id,
    user_id: row.user_id,
    thread_id: row.thread_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    app_id: row.app_id,
    state: row.ended_at ? 'ended' : 'open',
    message_count: row.message_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    messages: items,
    next_cursor,
  };
}

function toStoredMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    external_id: row.external_id,
    seq: row.seq,
    role: row.role,
    actor_id: row.actor_id,
    content: row.content,
    created_at: row.said_at.toISOString(),
    batch_id: row.batch_id,
  };
}
