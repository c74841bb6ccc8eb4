import type { App, AppRow } from '../apps/app-registry.js';
import { allOf, type Nullable, type Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { SummarySentenceEntity } from '../entities/summary.entity.js';
import { CITES_HIDDEN_SQL } from '../summaries/drop-hidden-sentences.js';
import {
  type AppMemoryRow,
  RESTS_ON_HIDDEN_SQL,
  STORED_APP_MEMORY_SQL,
  type StoredAppMemory,
  toStoredAppMemory,
} from './pool.js';

/** A memory that is made and paid for, and waits for the decision about eleven. */
export interface PendingAppMemory extends StoredAppMemory {
  /** Of its conversation: what it rests on. */
  readonly messageIds: readonly string[];
}

/** A conversation as its app memory is made, without its messages; times are epoch ms. */
export interface AppMemorySubject {
  readonly conversationId: string;
  readonly userId: string;
  readonly appId: string | null;
  /** Null when the conversation has no app, or it is not installed. */
  readonly app: App | null;
  readonly endedAt: number | null;
  /** −1 without a message. */
  readonly lastSeq: number;
  /** How often messages of it were hidden by a deletion, or came back. */
  readonly deletions: number;
  /** Whether all of its messages were compared with what is deleted: before, nobody knows whether one is hidden. */
  readonly isIndexed: boolean;
  /** Names that the user has consented to. */
  readonly names: readonly string[];
  /** Of the whole conversation, without sentences that cite a hidden message; null when there is none. */
  readonly summary: string | null;
  readonly pending: PendingAppMemory | null;
  /** The active memory of any app that rests on this conversation alone: a new one takes its place. */
  readonly own: StoredAppMemory | null;
}

type SubjectRow = Pick<ConversationEntity, 'user_id' | 'app_id' | 'ended_at' | 'message_count' | 'deletions'> &
  Nullable<Omit<AppRow, 'app_id'>> & { readonly names: string[]; readonly is_indexed: boolean };

/** Null when there is no such conversation (any more). One round trip. */
export async function loadAppMemorySubject(tx: Tx, conversationId: string): Promise<AppMemorySubject | null> {
  const [[row], sentences, memories] = await allOf([
    tx.query<SubjectRow>(
      `SELECT c.user_id, c.app_id, c.ended_at, c.message_count, c.deletions,
              a.name, a.is_shared, a.created_at, a.updated_at,
              NOT EXISTS (SELECT FROM batches b WHERE b.conversation_id = c.id AND b.indexed_at IS NULL) AS is_indexed,
              ARRAY (SELECT u.fields -> 'preferred_name' ->> 'value' FROM user_contexts u
                      WHERE u.user_id = c.user_id AND u.fields -> 'preferred_name' ->> 'value' IS NOT NULL) AS names
         FROM conversations c LEFT JOIN apps a ON a.app_id = c.app_id WHERE c.id = $1`,
      [conversationId],
    ),
    tx.query<Pick<SummarySentenceEntity, 'content'>>(
      `SELECT s.content FROM summaries y JOIN summary_sentences s ON s.summary_id = y.id
        WHERE y.conversation_id = $1 AND y.tier = 'L3' AND y.tombstoned_at IS NULL AND NOT ${CITES_HIDDEN_SQL}
        ORDER BY s.ordinal`,
      [conversationId],
    ),
    tx.query<AppMemoryRow & { message_ids: string[] }>(
      `SELECT ${STORED_APP_MEMORY_SQL},
              ARRAY (SELECT o.message_id FROM app_memory_sources o WHERE o.app_memory_id = m.id ORDER BY 1) AS message_ids
         FROM app_memories m
        WHERE m.conversation_id = $1
          AND (m.state = 'pending' AND NOT ${RESTS_ON_HIDDEN_SQL}
               OR m.state = 'active' AND NOT EXISTS (
                    SELECT FROM app_memory_sources o WHERE o.app_memory_id = m.id AND o.conversation_id <> $1))
        ORDER BY m.id DESC`,
      [conversationId],
    ),
  ]);
  if (!row) return null;
  const pending = memories.find(({ state }) => state === 'pending');
  const own = memories.find(({ state }) => state === 'active');
  return {
    conversationId,
    userId: row.user_id,
    appId: row.app_id,
    app: toInstalledApp(row),
    endedAt: row.ended_at?.getTime() ?? null,
    lastSeq: row.message_count - 1,
    deletions: row.deletions,
    isIndexed: row.is_indexed,
    names: row.names,
    summary: sentences.length === 0 ? null : sentences.map(({ content }) => content).join(' '),
    pending: pending ? { ...toStoredAppMemory(pending), messageIds: pending.message_ids } : null,
    own: own ? toStoredAppMemory(own) : null,
  };
}

function toInstalledApp(row: SubjectRow): App | null {
  const { app_id: appId, name, is_shared: isShared, created_at: createdAt, updated_at: updatedAt } = row;
  if (appId === null || name === null || isShared === null || createdAt === null || updatedAt === null) return null;
  return { appId, name, isShared, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() };
}
