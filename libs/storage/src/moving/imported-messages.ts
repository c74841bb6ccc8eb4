import { findOneTimeData, type IdGenerator } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { ForgottenContent } from '../forgetting/find-forgotten.js';
import type { ConversationToImport, MessageToImport, RecordsToImport } from './import-input.js';

export interface NewImportedMessage {
  readonly message: MessageToImport;
  /** The ids that message and conversation have here. */
  readonly id: string;
  readonly conversationId: string;
}

export type ConversationRow = Pick<ConversationEntity, 'id' | 'thread_id' | 'message_count'> & {
  readonly created: boolean;
};

/** Locks the conversations of these threads, inserted when missing, by thread. */
export async function insertConversations(
  tx: Tx,
  { userId, now }: RecordsToImport,
  conversations: readonly (Omit<ConversationToImport, 'messages'> & { readonly id: string })[],
): Promise<ReadonlyMap<string, ConversationRow>> {
  if (conversations.length === 0) return new Map();
  const rows = [...new Map(conversations.map((conversation) => [conversation.thread_id, conversation])).values()];
  const locked = await tx.query<ConversationRow>(
    `INSERT INTO conversations AS c
       (id, user_id, thread_id, agent_id, run_id, app_id, kind, created_at, updated_at, ended_at)
     SELECT r.id, $2, r.thread_id, r.agent_id, r.run_id, r.app_id, r.kind, r.created_at, $3, r.ended_at
       FROM json_to_recordset($1) AS r (id uuid, thread_id text, agent_id text, run_id text, app_id text, kind text,
                                        created_at timestamptz, ended_at timestamptz)
      ORDER BY r.thread_id
     ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING c.id, c.thread_id, c.message_count, c.xmax = 0 AS created`,
    [JSON.stringify(rows), userId, new Date(now)],
  );
  return new Map(locked.map((row) => [row.thread_id, row]));
}

interface MessagesToWrite {
  readonly fresh: readonly NewImportedMessage[];
  /** By thread, locked. */
  readonly rows: ReadonlyMap<string, Pick<ConversationRow, 'id' | 'message_count'>>;
  /** What is left of messages that were forgotten here, by id. */
  readonly cuts: ReadonlyMap<string, ForgottenContent>;
  /** Epoch ms of the user's last erasure. */
  readonly erasedAt: number | null;
}

/** Appends messages to their conversations, each conversation's in a batch that is done. */
export function writeImportedMessages(
  tx: Tx,
  { userId, now }: RecordsToImport,
  { fresh, rows, cuts, erasedAt }: MessagesToWrite,
  ids: IdGenerator,
): Promise<number>[] {
  const counts = new Map([...rows.values()].map((row) => [row.id, row.message_count]));
  const groups = [...Map.groupBy(fresh, ({ conversationId }) => conversationId)].map(([conversationId, messages]) => {
    return { conversationId, messages, batchId: ids.next() };
  });
  const messages = groups.flatMap(({ conversationId, batchId, messages: ofConversation }) =>
    ofConversation.map((each, index) => ({
      ...toMessageRow(each, cuts.get(each.id)),
      conversation_id: conversationId,
      batch_id: batchId,
      seq: (counts.get(conversationId) ?? 0) + index,
    })),
  );
  const batches = groups.map(({ conversationId, batchId, messages: { length } }) => {
    return { id: batchId, conversation_id: conversationId, message_count: length };
  });
  const at = new Date(now);
  return [
    tx.execute(
      `INSERT INTO batches (id, conversation_id, user_id, state, message_count, priority, sealed_at, accepted_at,
                            started_at, extracted_at, finished_at)
       SELECT r.id, r.conversation_id, $2, 'done', r.message_count, 'bulk', $3, $4, $3, $3, $3
         FROM json_to_recordset($1) AS r (id uuid, conversation_id uuid, message_count integer)`,
      // What was accepted before an erasure counts as erased with it.
      [JSON.stringify(batches), userId, at, new Date(Math.max(now, (erasedAt ?? 0) + 1))],
    ),
    tx.execute(
      `INSERT INTO messages (id, conversation_id, batch_id, seq, external_id, role, actor_id, agent_id, run_id, app_id,
                             content, content_hmac, said_at, received_at, hidden_at, evicted_at, forgotten_at,
                             expires_at)
       SELECT r.id, r.conversation_id, r.batch_id, r.seq, r.external_id, r.role, r.actor_id, r.agent_id, r.run_id,
              r.app_id, r.content, decode(r.content_hmac, 'hex'), r.said_at, coalesce(r.received_at, $2), r.hidden_at,
              r.evicted_at, r.forgotten_at, to_timestamp(r.expires_ms / 1000.0)
         FROM json_to_recordset($1) AS r (id uuid, conversation_id uuid, batch_id uuid, seq integer, external_id text,
                role text, actor_id text, agent_id text, run_id text, app_id text, content text, content_hmac text,
                said_at timestamptz, received_at timestamptz, hidden_at timestamptz, evicted_at timestamptz,
                forgotten_at timestamptz, expires_ms bigint)`,
      [JSON.stringify(messages), at],
    ),
    tx.execute(
      `UPDATE conversations c SET message_count = c.message_count + r.message_count
         FROM json_to_recordset($1) AS r (conversation_id uuid, message_count integer)
        WHERE c.id = r.conversation_id AND c.id = ANY ($2)`,
      [JSON.stringify(batches), groups.map(({ conversationId }) => conversationId)],
    ),
  ];
}

function toMessageRow({ id, message }: NewImportedMessage, cut: ForgottenContent | undefined) {
  const content = cut?.content ?? message.content;
  const forgottenAt = cut?.forgottenAt.toISOString() ?? message.forgotten_at;
  const saidAt = Date.parse(message.created_at);
  return {
    id,
    external_id: message.external_id,
    role: message.role,
    actor_id: message.actor_id,
    agent_id: message.agent_id,
    run_id: message.run_id,
    app_id: message.app_id,
    content,
    content_hmac: message.contentHmac?.toString('hex') ?? null,
    said_at: message.created_at,
    received_at: message.received_at ?? null,
    hidden_at: message.hidden_at ?? (content === '' ? forgottenAt : null),
    evicted_at: message.evicted_at,
    forgotten_at: forgottenAt,
    expires_ms: forgottenAt === null ? findOneTimeData(content, saidAt).expiresAt : null,
  };
}
