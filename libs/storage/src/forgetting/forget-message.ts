import { cutSentences, settleSources } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { carryOutForgetting } from './carry-out-forgetting.js';
import { loadMemories } from './load-forgettable.js';

export interface ForgottenMessage {
  readonly messageId: string;
  readonly memoriesDeleted: readonly string[];
  readonly memoriesKept: readonly string[];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

type MessageRow = Pick<MessageEntity, 'id' | 'content'> & { user_id: string };

/** The id of a message of a conversation, by its own or by the caller's; null when there is none. */
export async function findMessage(tx: Tx, conversationId: string, named: string): Promise<string | null> {
  const [row] = await tx.query<Pick<MessageEntity, 'id'>>(
    `SELECT id FROM messages WHERE conversation_id = $1 AND (id::text = lower($2) OR external_id = $2)
      ORDER BY id::text = lower($2) DESC LIMIT 1`,
    [conversationId, named],
  );
  return row?.id ?? null;
}

/**
 * Forgets a message for good (docs/reference/forgetting.md#a-single-turn), with the memories that rest on it alone, or
 * the sentences at `places` of it. Null when there is no such message, or nothing in it.
 */
export async function forgetMessage(
  tx: Tx,
  {
    messageId,
    actor,
    places,
  }: { readonly messageId: string; readonly actor: string; readonly places?: readonly Place[] },
  dependencies: WriteDependencies,
): Promise<ForgottenMessage | null> {
  const owner = await readMessage(tx, messageId);
  if (!owner) return null;
  const { user_id: userId } = owner;
  const { user } = await lockExistingUser(tx, userId);
  // Behind the lock: who forgot it meanwhile has committed.
  const [message, memories] = await allOf([
    readMessage(tx, messageId),
    loadMemories(tx, 'm.id IN (SELECT s.memory_id FROM memory_sources s WHERE s.message_id = $1)', messageId),
  ]);
  if (!user || !message || message.content === '') return null;
  const { content } = message;
  const whole = { rest: '', cut: [{ start: 0, end: content.length }] };
  const cut = { messageId, isEcho: false, ...(places === undefined ? whole : cutSentences(content, places)) };
  const { memoryIds, lostQuotes } = settleSources(memories, new Map([[messageId, cut.rest]]), {
    keepsWhatRestsOnIt: places !== undefined,
  });
  const command = { userId, actor, memoryIds, cuts: [cut], lostQuotes, others: [] };
  const forgotten = await carryOutForgetting(tx, command, dependencies);
  const gone = new Set(forgotten.memoryIds);
  const kept = memories.map(({ id }) => id).filter((id) => !gone.has(id));
  return { messageId, memoriesDeleted: forgotten.memoryIds, memoriesKept: kept.toSorted() };
}

async function readMessage(tx: Tx, messageId: string): Promise<MessageRow | undefined> {
  const [row] = await tx.query<MessageRow>(
    `SELECT m.id, m.content, c.user_id
       FROM messages m JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id WHERE m.id = $1`,
    [messageId],
  );
  return row;
}
