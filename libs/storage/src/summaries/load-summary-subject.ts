import type { StoredSummary, SummaryKind, SummarySentence } from '@annals/domain';
import type { MessageRole } from '@annals/contracts';
import { allOf, type Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { SummaryEntity, SummarySentenceEntity } from '../entities/summary.entity.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';
import { CITES_HIDDEN_SQL } from './drop-hidden-sentences.js';

/** A conversation as its summaries are made, without its messages; times are epoch ms. */
export interface SummarySubject {
  readonly conversationId: string;
  readonly userId: string;
  readonly threadId: string;
  readonly kind: SummaryKind;
  readonly endedAt: number | null;
  /** When the last message arrived. */
  readonly lastMessageAt: number;
  /** −1 without a message. */
  readonly lastSeq: number;
  /** How often messages of it were hidden by a deletion, or came back. */
  readonly deletions: number;
  /** Names that the user has consented to. */
  readonly names: readonly string[];
  /** Length of the messages that the live summary of the whole does not cover, in characters. */
  readonly newLength: number;
  /** The live ones. */
  readonly summaries: readonly StoredSummary[];
}

type SubjectRow = Pick<ConversationEntity, 'user_id' | 'thread_id' | 'kind' | 'ended_at' | 'message_count'> &
  Pick<ConversationEntity, 'deletions'> & { last_message_at: Date; names: string[]; new_length: string };

/** Null when there is no such conversation (any more). One round trip. */
export async function loadSummarySubject(tx: Tx, conversationId: string): Promise<SummarySubject | null> {
  const [[row], summaries] = await allOf([
    tx.query<SubjectRow>(
      `SELECT c.user_id, c.thread_id, c.kind, c.ended_at, c.message_count, c.deletions,
              coalesce((SELECT g.received_at FROM messages g
                         WHERE g.conversation_id = c.id ORDER BY g.seq DESC LIMIT 1), c.created_at) AS last_message_at,
              ARRAY (SELECT u.fields -> 'preferred_name' ->> 'value' FROM user_contexts u
                      WHERE u.user_id = c.user_id AND u.fields -> 'preferred_name' ->> 'value' IS NOT NULL) AS names,
              (SELECT coalesce(sum(length(g.content)), 0) FROM messages g
                WHERE g.conversation_id = c.id AND g.role IN ('user', 'assistant')
                  AND g.seq > coalesce((SELECT s.to_seq FROM summaries s WHERE s.conversation_id = c.id
                                           AND s.tier = 'L3' AND s.tombstoned_at IS NULL), -1)) AS new_length
         FROM conversations c WHERE c.id = $1`,
      [conversationId],
    ),
    loadLiveSummaries(tx, conversationId),
  ]);
  if (!row) return null;
  return {
    conversationId,
    userId: row.user_id,
    threadId: row.thread_id,
    kind: row.kind,
    endedAt: row.ended_at?.getTime() ?? null,
    lastMessageAt: row.last_message_at.getTime(),
    lastSeq: row.message_count - 1,
    deletions: row.deletions,
    names: row.names,
    newLength: Number(row.new_length),
    summaries: summaries.map(toStoredSummary),
  };
}

type SummaryRow = Omit<
  SummaryEntity,
  'tenant_id' | 'conversation_id' | 'tokens' | 'provider' | 'model' | 'last_said_at' | 'created_at' | 'replaced_by'
>;

export const STORED_SUMMARY_COLUMNS = `id, tier, position, level, kind, recipe, from_seq, to_seq, covered_tokens,
  covered_messages, fingerprint, tombstoned_at`;

function loadLiveSummaries(tx: Tx, conversationId: string): Promise<SummaryRow[]> {
  return tx.query<SummaryRow>(
    `SELECT ${STORED_SUMMARY_COLUMNS} FROM summaries WHERE conversation_id = $1 AND tombstoned_at IS NULL
      ORDER BY tier, position`,
    [conversationId],
  );
}

export function toStoredSummary(row: SummaryRow): StoredSummary {
  return {
    id: row.id,
    tier: row.tier,
    position: row.position,
    level: row.level,
    kind: row.kind,
    recipe: row.recipe,
    fromSeq: row.from_seq,
    toSeq: row.to_seq,
    coveredTokens: row.covered_tokens,
    coveredMessages: row.covered_messages,
    fingerprint: row.fingerprint,
    state: row.tombstoned_at === null ? 'live' : 'tombstoned',
  };
}

/** A message that may be summarised: said by somebody, and hidden by no deletion. */
export interface SummarizableMessage {
  readonly id: string;
  readonly seq: number;
  readonly role: MessageRole;
  readonly actorId: string | null;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

type MessageRow = Pick<MessageEntity, 'id' | 'seq' | 'role' | 'actor_id' | 'content' | 'said_at'>;

/** Messages of a conversation behind `afterSeq`, in order. */
export async function loadSummarizableMessages(
  tx: Tx,
  conversationId: string,
  afterSeq: number,
): Promise<SummarizableMessage[]> {
  const rows = await tx.query<MessageRow>(
    `SELECT g.id, g.seq, g.role, g.actor_id, g.content, g.said_at FROM messages g
      WHERE g.conversation_id = $1 AND g.seq > $2 AND g.role IN ('user', 'assistant') AND ${IS_RECALLABLE_SQL}
      ORDER BY g.seq`,
    [conversationId, afterSeq],
  );
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    role: row.role,
    actorId: row.actor_id,
    content: row.content,
    saidAt: row.said_at.getTime(),
  }));
}

/** The messages that sentences cite, as far as they may be read, by id. */
export async function loadCitedMessages(tx: Tx, ids: readonly string[]): Promise<SummarizableMessage[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<MessageRow>(
    `SELECT g.id, g.seq, g.role, g.actor_id, g.content, g.said_at FROM messages g
      WHERE g.id = ANY ($1) AND ${IS_RECALLABLE_SQL} ORDER BY g.seq`,
    [ids],
  );
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    role: row.role,
    actorId: row.actor_id,
    content: row.content,
    saidAt: row.said_at.getTime(),
  }));
}

/** Sentences of summaries that cite no hidden message, in order, by the id of the summary. */
export async function loadSummarySentences(
  tx: Tx,
  summaryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SummarySentence[]>> {
  if (summaryIds.length === 0) return new Map();
  const rows = await tx.query<Pick<SummarySentenceEntity, 'summary_id' | 'content' | 'message_ids'>>(
    `SELECT s.summary_id, s.content, s.message_ids FROM summary_sentences s
      WHERE s.summary_id = ANY ($1) AND NOT ${CITES_HIDDEN_SQL}
      ORDER BY s.summary_id, s.ordinal`,
    [summaryIds],
  );
  const sentences = new Map<string, SummarySentence[]>(summaryIds.map((id) => [id, []]));
  for (const { summary_id, content, message_ids } of rows) {
    sentences.get(summary_id)!.push({ text: content, messageIds: message_ids });
  }
  return sentences;
}
