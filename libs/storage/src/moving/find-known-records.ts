import { hashContent } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import { findKeyedDeletions, threadSubject, wordsSubject } from '../deletions/note-deletion.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MemoryEntity, MemorySourceEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { IdState } from './imported-ids.js';

/** Ids that records may have here. */
export interface PossibleIds {
  readonly conversations: readonly string[];
  readonly messages: readonly string[];
  readonly memories: readonly string[];
}

/** What somebody could have deleted under other ids. */
interface PossibleWords {
  readonly userId: string;
  readonly threadIds: readonly string[];
  readonly contents: readonly string[];
}

/** What the tenant has under the ids of an import. Another tenant's rows have keys of their own and are never seen. */
export interface KnownRecords {
  readonly conversations: IdState;
  readonly messages: IdState;
  readonly memories: IdState;
  /** Messages that each of the memories rests on. */
  readonly sourcesOf: (memoryId: string) => ReadonlySet<string>;
  /** Whether a stored memory has other words than these. */
  readonly hasOtherWords: (memoryId: string, content: string) => boolean;
  /** When the thread's conversation, or a memory with these words, was last deleted for good; epoch ms, -Infinity: never. */
  readonly threadDeletedAt: (threadId: string) => number;
  readonly wordsForgottenAt: (content: string) => number;
}

const NONE: ReadonlySet<string> = new Set();

/** Reads them in one round trip, under the user's lock. */
export async function findKnownRecords(
  tx: Tx,
  ids: PossibleIds,
  { userId, threadIds, contents }: PossibleWords,
): Promise<KnownRecords> {
  const { conversations, messages, memories } = ids;
  const hashes = new Map(contents.map((content) => [content, hashContent(content)]));
  const subjectOfWords = (content: string) => wordsSubject(tx, userId, hashes.get(content)!);
  const subjectOfThread = (threadId: string) => threadSubject(tx, userId, threadId);
  const [deleted, ...owners] = await allOf([
    tx.query<{ id: string }>('SELECT d AS id FROM find_deleted_ids($1) d', [
      [...conversations, ...messages, ...memories],
    ]),
    tx.query<Pick<ConversationEntity, 'id' | 'user_id'>>('SELECT id, user_id FROM conversations WHERE id = ANY ($1)', [
      conversations,
    ]),
    tx.query<Pick<MessageEntity, 'id'> & Pick<ConversationEntity, 'user_id'>>(
      `SELECT m.id, c.user_id
         FROM messages m JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
        WHERE m.id = ANY ($1)`,
      [messages],
    ),
    tx.query<Pick<MemoryEntity, 'id' | 'user_id' | 'normalized_hash'>>(
      'SELECT id, user_id, normalized_hash FROM memories WHERE id = ANY ($1)',
      [memories],
    ),
    tx.query<Pick<MemorySourceEntity, 'memory_id' | 'message_id'>>(
      'SELECT memory_id, message_id FROM memory_sources WHERE memory_id = ANY ($1)',
      [memories],
    ),
    findKeyedDeletions(tx, [...threadIds.map(subjectOfThread), ...contents.map(subjectOfWords)]),
  ]);
  const [ofConversations, ofMessages, ofMemories, sources, deletions] = owners;
  const storedHashes = new Map(ofMemories.map((row) => [row.id, row.normalized_hash]));
  const deletedIds = new Set(deleted.map(({ id }) => id));
  const toState = (rows: readonly { readonly id: string; readonly user_id: string }[]): IdState => {
    const users = new Map(rows.map((row) => [row.id, row.user_id]));
    return { ownerOf: (id) => users.get(id), wasDeleted: (id) => deletedIds.has(id) };
  };
  const cited = Map.groupBy(sources, ({ memory_id: id }) => id);
  const sourcesById = new Map([...cited].map(([id, rows]) => [id, new Set(rows.map((row) => row.message_id))]));
  return {
    conversations: toState(ofConversations),
    messages: toState(ofMessages),
    memories: toState(ofMemories),
    sourcesOf: (memoryId) => sourcesById.get(memoryId) ?? NONE,
    hasOtherWords: (memoryId, content) => (storedHashes.get(memoryId) ?? hashes.get(content)) !== hashes.get(content),
    threadDeletedAt: (threadId) => deletions.get(subjectOfThread(threadId)) ?? -Infinity,
    wordsForgottenAt: (content) => deletions.get(subjectOfWords(content)) ?? -Infinity,
  };
}
