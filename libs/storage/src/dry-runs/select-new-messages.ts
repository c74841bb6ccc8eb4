import { findNewMessages } from '../conversations/plan-post.js';
import type { AcceptMessagesInput, NewMessage } from '../conversations/post-input.js';
import type { Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { findForgotten } from '../forgetting/find-forgotten.js';

/** The messages of a post that would be stored, with their places in it; nothing is written. */
export interface NewPostMessages {
  /** Null: the thread would be new. */
  readonly conversationId: string | null;
  /** Without the words that were forgotten of them. */
  readonly messages: readonly (Pick<NewMessage, 'role' | 'actorId' | 'content' | 'saidAt'> & {
    readonly place: number;
  })[];
  readonly duplicates: number;
}

type StoredRow = Pick<MessageEntity, 'content_hmac'> & { external_id: string };

/** Throws MessageConflictError like a post. */
export async function selectNewMessages(
  tx: Tx,
  { userId, threadId, messages }: Pick<AcceptMessagesInput, 'userId' | 'threadId' | 'messages'>,
): Promise<NewPostMessages> {
  const [conversation] =
    threadId === null
      ? []
      : await tx.query<Pick<ConversationEntity, 'id'>>(
          'SELECT id FROM conversations WHERE user_id = $1 AND thread_id = $2',
          [userId, threadId],
        );
  const named = messages.flatMap(({ externalId }) => externalId ?? []);
  const stored =
    conversation && named.length > 0
      ? await tx.query<StoredRow>(
          'SELECT external_id, content_hmac FROM messages WHERE conversation_id = $1 AND external_id = ANY ($2)',
          [conversation.id, named],
        )
      : [];
  const fresh = findNewMessages(messages, new Map(stored.map((row) => [row.external_id, row.content_hmac])));
  const forgotten = await findForgotten(tx, userId, fresh);
  return {
    conversationId: conversation?.id ?? null,
    duplicates: messages.length - fresh.length,
    messages: fresh.flatMap((message, index) => {
      const { role, actorId, saidAt } = message;
      const content = forgotten.get(index)?.content ?? message.content;
      return content === '' ? [] : [{ place: messages.indexOf(message), role, actorId, content, saidAt }];
    }),
  };
}
