import type { ImportedRecord } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { hasHmac } from '../conversations/plan-post.js';
import type { Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { findForgotten } from '../forgetting/find-forgotten.js';
import type { KnownRecords } from './find-known-records.js';
import {
  alreadyThere,
  type ConversationImported,
  type ConversationToImport,
  ERASED,
  FORGOTTEN,
  isErased,
  type MessageToImport,
  type RecordsToImport,
  type Refusal,
  refused,
  taken,
} from './import-input.js';
import { insertConversations, type NewImportedMessage, writeImportedMessages } from './imported-messages.js';
import type { ImportedIds } from './imported-ids.js';

/** What is known when records are judged. */
export interface ImportContext {
  readonly ids: ImportedIds;
  readonly known: KnownRecords;
  /** Epoch ms of the user's last erasure. */
  readonly erasedAt: number | null;
}

/** What memories can rest on: a message of this import, as it is stored. */
export interface ImportedText {
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

export interface ConversationsImported {
  readonly results: readonly ConversationImported[];
  /** By the id that the message has here. */
  readonly texts: ReadonlyMap<string, ImportedText>;
}

/**
 * Stores conversations with their messages as processed: they are found and cited like any others, and nothing is
 * extracted from them again. Locks the conversations, behind the user. Three round trips.
 */
export async function importConversations(
  tx: Tx,
  input: RecordsToImport,
  context: ImportContext,
  ids: IdGenerator,
): Promise<ConversationsImported> {
  if (input.conversations.length === 0) return { results: [], texts: new Map() };
  const used = new Set<string>();
  const resolved = input.conversations.map((conversation) => resolveConversation(conversation, context, used));
  const rows = await insertConversations(
    tx,
    input,
    resolved.flatMap(({ id }, index) => (id === null ? [] : [{ ...input.conversations[index]!, id }])),
  );
  const stored = await findStoredMessages(tx, input.conversations, rows);
  const fresh = new Map<string, NewImportedMessage & { contentHmac: Buffer | null }>();
  const results = input.conversations.map((conversation, index): ConversationImported => {
    const row = rows.get(conversation.thread_id);
    const { id, refusal } = resolved[index]!;
    if (id === null || !row) {
      return { ...refused(refusal!), messages: conversation.messages.map(() => refused(refusal!)) };
    }
    const messages = conversation.messages.map((message): ImportedRecord => {
      const place = { row, threadId: conversation.thread_id, stored, isTaken: (each: string) => fresh.has(each) };
      const result = judgeMessage(message, place, context);
      if (result.outcome !== 'taken') return result;
      fresh.set(result.id!, { message, id: result.id!, conversationId: row.id, contentHmac: message.contentHmac });
      if (message.external_id !== null) {
        const { content, contentHmac } = message;
        stored.set(externalKey(row.id, message.external_id), { id: result.id!, content, content_hmac: contentHmac });
      }
      return result;
    });
    return { ...(row.created ? taken(row.id) : alreadyThere(row.id)), messages };
  });
  const texts = await storeMessages(tx, input, { fresh: [...fresh.values()], rows, erasedAt: context.erasedAt }, ids);
  return { results, texts };
}

interface ResolvedConversation {
  /** Null: refused. */
  readonly id: string | null;
  readonly refusal: Refusal | null;
}

/** Why nothing of that time is taken into the thread: the user was erased since, or its conversation was deleted. */
function findDeletion(at: string, threadId: string, { known, erasedAt }: ImportContext): Refusal | null {
  if (isErased(at, erasedAt)) return ERASED;
  return Date.parse(at) <= known.threadDeletedAt(threadId) ? FORGOTTEN : null;
}

/** `used`: ids of the request so far. The id counts only when the thread is new. */
function resolveConversation(
  conversation: ConversationToImport,
  context: ImportContext,
  used: Set<string>,
): ResolvedConversation {
  const { ids, known } = context;
  const times = [conversation.created_at, ...conversation.messages.map((message) => message.created_at)];
  const refusals = times.map((at) => findDeletion(at, conversation.thread_id, context));
  if (refusals.every((refusal) => refusal !== null)) return { id: null, refusal: refusals[0]! };
  const resolved = ids.resolve('conversation', conversation.id, known.conversations);
  if (resolved.state === 'deleted') return { id: null, refusal: FORGOTTEN };
  // Another thread may have it.
  const isUsed = resolved.state === 'stored' || used.has(resolved.id);
  const id = isUsed ? ids.derive('conversation', `thread ${conversation.thread_id}`) : resolved.id;
  used.add(id);
  return { id, refusal: null };
}

type StoredMessage = Pick<MessageEntity, 'id' | 'content' | 'content_hmac'>;

interface Place {
  readonly row: Pick<ConversationEntity, 'id'>;
  readonly threadId: string;
  /** Messages of the conversations, also of this request, by the caller's id. */
  readonly stored: ReadonlyMap<string, StoredMessage>;
  /** Whether a message before it in the request has the id. */
  readonly isTaken: (id: string) => boolean;
}

function judgeMessage(message: MessageToImport, place: Place, context: ImportContext): ImportedRecord {
  const { ids, known } = context;
  if (message.refusal) return refused(message.refusal);
  const resolved = ids.resolve('message', message.id, known.messages);
  if (resolved.state !== 'deleted' && (resolved.state === 'stored' || place.isTaken(resolved.id))) {
    return alreadyThere(resolved.id);
  }
  const { external_id: externalId } = message;
  const same = externalId === null ? undefined : place.stored.get(externalKey(place.row.id, externalId));
  if (same !== undefined) return { ...alreadyThere(same.id), ...(isSame(message, same) ? {} : { differs: true }) };
  if (resolved.state === 'deleted') return refused(FORGOTTEN);
  const deletion = findDeletion(message.created_at, place.threadId, context);
  return deletion ? refused(deletion) : taken(resolved.id);
}

/** A hash is missing of what was erased or forgotten, which may have been any text. */
function isSame({ content, contentHmac, acceptedHmacs }: MessageToImport, stored: StoredMessage): boolean {
  const { content_hmac: known } = stored;
  if (content === stored.content || known === null) return true;
  return contentHmac !== null && hasHmac({ contentHmac, acceptedHmacs }, known);
}

const externalKey = (conversationId: string, externalId: string) => `${conversationId} ${externalId}`;

/** Messages that the conversations have under the callers' ids of these. */
async function findStoredMessages(
  tx: Tx,
  conversations: readonly ConversationToImport[],
  rows: ReadonlyMap<string, { readonly id: string }>,
): Promise<Map<string, StoredMessage>> {
  const wanted = conversations.flatMap(({ messages }) => messages.flatMap((message) => message.external_id ?? []));
  if (wanted.length === 0) return new Map();
  const found = await tx.query<StoredMessage & Pick<MessageEntity, 'conversation_id'> & { external_id: string }>(
    `SELECT id, conversation_id, external_id, content, content_hmac
       FROM messages WHERE conversation_id = ANY ($1) AND external_id = ANY ($2)`,
    [[...rows.values()].map(({ id }) => id), wanted],
  );
  return new Map(found.map((row) => [externalKey(row.conversation_id, row.external_id), row]));
}

interface FreshMessages {
  readonly fresh: readonly (NewImportedMessage & { readonly contentHmac: Buffer | null })[];
  readonly rows: ReadonlyMap<string, { readonly id: string; readonly message_count: number }>;
  readonly erasedAt: number | null;
}

/** Without what was forgotten of them here. */
async function storeMessages(
  tx: Tx,
  input: RecordsToImport,
  { fresh, rows, erasedAt }: FreshMessages,
  ids: IdGenerator,
): Promise<ReadonlyMap<string, ImportedText>> {
  const texts = new Map<string, ImportedText>();
  if (fresh.length === 0) return texts;
  const comparable = fresh.flatMap((each) =>
    each.contentHmac === null
      ? []
      : [
          {
            ...each,
            contentHmac: each.contentHmac,
            acceptedHmacs: each.message.acceptedHmacs,
            saidAt: Date.parse(each.message.created_at),
          },
        ],
  );
  const forgotten = await findForgotten(tx, input.userId, comparable);
  const cuts = new Map([...forgotten].map(([index, cut]) => [comparable[index]!.id, cut]));
  tx.atCommit(...writeImportedMessages(tx, input, { fresh, rows, cuts, erasedAt }, ids));
  for (const { id, message } of fresh) {
    texts.set(id, { content: cuts.get(id)?.content ?? message.content, saidAt: Date.parse(message.created_at) });
  }
  return texts;
}
