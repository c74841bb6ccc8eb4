import type { ImportedRecord } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
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
  type MessageToImport,
  type RecordsToImport,
  refused,
  taken,
} from './import-input.js';
import { insertConversations, type NewImportedMessage, writeImportedMessages } from './imported-messages.js';
import type { ImportedIds } from './imported-ids.js';

interface ImportContext {
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
      const result = judgeMessage(message, { row, stored, isTaken: (each) => fresh.has(each) }, context);
      if (result.outcome !== 'taken') return result;
      fresh.set(result.id!, { message, id: result.id!, conversationId: row.id, contentHmac: message.contentHmac });
      if (message.external_id !== null) stored.set(externalKey(row.id, message.external_id), result.id!);
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
  readonly refusal: typeof FORGOTTEN | null;
}

/** `used`: ids of the request so far. The id counts only when the thread is new. */
function resolveConversation(
  conversation: ConversationToImport,
  { ids, known, erasedAt }: ImportContext,
  used: Set<string>,
): ResolvedConversation {
  const isErased = (at: string) => erasedAt !== null && Date.parse(at) <= erasedAt;
  const times = [conversation.created_at, ...conversation.messages.map((message) => message.created_at)];
  if (times.every(isErased)) return { id: null, refusal: ERASED };
  const resolved = ids.resolve('conversation', conversation.id, known.conversations);
  if (resolved.state === 'deleted') return { id: null, refusal: FORGOTTEN };
  // Another thread may have it.
  const isUsed = resolved.state === 'stored' || used.has(resolved.id);
  const id = isUsed ? ids.derive('conversation', `thread ${conversation.thread_id}`) : resolved.id;
  used.add(id);
  return { id, refusal: null };
}

interface Place {
  readonly row: Pick<ConversationEntity, 'id'>;
  /** Messages of the conversations, also of this request, by the caller's id. */
  readonly stored: ReadonlyMap<string, string>;
  /** Whether a message before it in the request has the id. */
  readonly isTaken: (id: string) => boolean;
}

function judgeMessage(message: MessageToImport, place: Place, { ids, known, erasedAt }: ImportContext): ImportedRecord {
  if (message.refusal) return refused(message.refusal);
  const resolved = ids.resolve('message', message.id, known.messages);
  if (resolved.state !== 'deleted' && (resolved.state === 'stored' || place.isTaken(resolved.id))) {
    return alreadyThere(resolved.id);
  }
  const { external_id: externalId } = message;
  const same = externalId === null ? undefined : place.stored.get(externalKey(place.row.id, externalId));
  if (same !== undefined) return alreadyThere(same);
  if (resolved.state === 'deleted') return refused(FORGOTTEN);
  if (erasedAt !== null && Date.parse(message.created_at) <= erasedAt) return refused(ERASED);
  return taken(resolved.id);
}

const externalKey = (conversationId: string, externalId: string) => `${conversationId} ${externalId}`;

/** Messages that the conversations have under the callers' ids of these. */
async function findStoredMessages(
  tx: Tx,
  conversations: readonly ConversationToImport[],
  rows: ReadonlyMap<string, { readonly id: string }>,
): Promise<Map<string, string>> {
  const wanted = conversations.flatMap(({ messages }) => messages.flatMap((message) => message.external_id ?? []));
  if (wanted.length === 0) return new Map();
  const found = await tx.query<Pick<MessageEntity, 'id' | 'conversation_id'> & { external_id: string }>(
    'SELECT id, conversation_id, external_id FROM messages WHERE conversation_id = ANY ($1) AND external_id = ANY ($2)',
    [[...rows.values()].map(({ id }) => id), wanted],
  );
  return new Map(found.map((row) => [externalKey(row.conversation_id, row.external_id), row.id]));
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
  const [forgotten] = await allOf([findForgotten(tx, input.userId, comparable)]);
  const cuts = new Map([...forgotten].map(([index, cut]) => [comparable[index]!.id, cut]));
  tx.atCommit(...writeImportedMessages(tx, input, { fresh, rows, cuts, erasedAt }, ids));
  for (const { id, message } of fresh) {
    texts.set(id, { content: cuts.get(id)?.content ?? message.content, saidAt: Date.parse(message.created_at) });
  }
  return texts;
}
