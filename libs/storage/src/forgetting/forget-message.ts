import { cutSentences, settleSources, type TurnCut } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { carryOutForgetting } from './carry-out-forgetting.js';
import { loadMemoriesFrom } from './forgettable-texts.js';

export interface ForgottenMessage {
  readonly messageId: string;
  readonly memoriesDeleted: readonly string[];
  readonly memoriesKept: readonly string[];
}

/** A message that is to lose its words, or its sentences at these places. */
export interface MessageToCut {
  readonly messageId: string;
  readonly places?: readonly { readonly start: number; readonly end: number }[];
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
 * Forgets a message for good (docs/reference/forgetting.md#a-single-turn), with the memories that rest on it alone. Null
 * when there is no such message, or nothing in it.
 */
export async function forgetMessage(
  tx: Tx,
  { messageId, actor }: { readonly messageId: string; readonly actor: string },
  dependencies: WriteDependencies,
): Promise<ForgottenMessage | null> {
  const forgotten = await forgetMessages(tx, { messages: [{ messageId }], actor }, dependencies);
  return forgotten.messageIds.length === 0
    ? null
    : { messageId, memoriesDeleted: forgotten.memoriesDeleted, memoriesKept: forgotten.memoriesKept };
}

/** Forgets messages of one user, or sentences of them. What rests on sentences stays, and only loses its quote. */
export async function forgetMessages(
  tx: Tx,
  { messages, actor }: { readonly messages: readonly MessageToCut[]; readonly actor: string },
  dependencies: WriteDependencies,
): Promise<Omit<ForgottenMessage, 'messageId'> & { readonly messageIds: readonly string[] }> {
  const ids = messages.map(({ messageId }) => messageId);
  const [owner] = await readMessages(tx, ids);
  const user = owner && (await lockExistingUser(tx, owner.user_id)).user;
  if (!owner || !user) return { messageIds: [], memoriesDeleted: [], memoriesKept: [] };
  // Behind the lock: who forgot any of it meanwhile has committed.
  const [rows, memories] = await allOf([readMessages(tx, ids), loadMemoriesFrom(tx, ids)]);
  const placesOf = new Map(messages.map(({ messageId, places }) => [messageId, places]));
  const cuts = rows.flatMap(({ id, content, user_id: userId }): TurnCut[] => {
    if (userId !== owner.user_id || content === '') return [];
    const places = placesOf.get(id);
    const whole = { rest: '', cut: [{ start: 0, end: content.length }] };
    return [{ messageId: id, isEcho: false, ...(places === undefined ? whole : cutSentences(content, places)) }];
  });
  if (cuts.length === 0) return { messageIds: [], memoriesDeleted: [], memoriesKept: [] };
  const rests = new Map(cuts.map(({ messageId, rest }) => [messageId, rest]));
  const keepsWhatRestsOnIt = messages.some(({ places }) => places !== undefined);
  const { memoryIds, lostQuotes } = settleSources(memories, rests, { keepsWhatRestsOnIt });
  const command = { userId: owner.user_id, actor, memoryIds, cuts, lostQuotes, others: [] };
  const forgotten = await carryOutForgetting(tx, command, dependencies);
  const memoriesDeleted = forgotten.memories.map(({ id }) => id);
  const gone = new Set(memoriesDeleted);
  const kept = memories.map(({ id }) => id).filter((id) => !gone.has(id));
  return { messageIds: [...rests.keys()], memoriesDeleted, memoriesKept: kept.toSorted() };
}

function readMessages(tx: Tx, ids: readonly string[]): Promise<MessageRow[]> {
  return tx.query<MessageRow>(
    `SELECT m.id, m.content, c.user_id
       FROM messages m JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
      WHERE m.id = ANY ($1) ORDER BY m.id`,
    [ids],
  );
}
