import {
  listRecentActivity,
  RECENT_ACTIVITY_MS,
  type SummarySentence,
  type ThreadSummary,
  type ThreadTurn,
} from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { SummaryEntity } from '../entities/summary.entity.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';
import { loadSummarySentences } from './load-summary-subject.js';

export interface ActivitySummary extends ThreadSummary {
  readonly type: 'summary';
  readonly id: string;
  readonly conversationId: string;
  readonly sentences: readonly SummarySentence[];
}

export interface ActivityTurn extends ThreadTurn {
  readonly type: 'turn';
  readonly id: string;
  readonly conversationId: string;
  readonly role: MessageEntity['role'];
  readonly actorId: string | null;
  readonly content: string;
}

export interface ActivityQuery {
  readonly userId: string;
  /** Only conversations that this agent began; null: all. */
  readonly agentId: string | null;
  readonly threadId: string | null;
  /** Epoch ms. */
  readonly now: number;
  readonly limit: number;
}

type SummaryRow = Pick<SummaryEntity, 'id' | 'conversation_id' | 'to_seq' | 'last_said_at'> &
  Pick<ConversationEntity, 'thread_id'>;
type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'seq' | 'role' | 'actor_id' | 'content' | 'said_at'> &
  Pick<ConversationEntity, 'thread_id'>;

/** Of one user, those changed last: bounds what a request reads. */
const MAX_CONVERSATIONS = 100;

/** Of each conversation, the last ones, whether they may be listed or not. */
const MAX_MESSAGES = 200;

/**
 * What a user did in the last seven days: summaries of threads and the turns that these do not cover
 * (docs/reference/summaries.md#recent-activity). Two round trips.
 */
export async function readRecentActivity(tx: Tx, query: ActivityQuery): Promise<(ActivitySummary | ActivityTurn)[]> {
  const { userId, agentId, threadId, now, limit } = query;
  const recent = `recent AS (
         SELECT c.tenant_id, c.id, c.thread_id, c.message_count FROM conversations c
          WHERE c.user_id = $1 AND ($2::text IS NULL OR c.agent_id = $2) AND ($3::text IS NULL OR c.thread_id = $3)
            AND c.updated_at >= $4
          ORDER BY c.updated_at DESC LIMIT ${MAX_CONVERSATIONS})`;
  const parameters = [userId, agentId, threadId, new Date(now - RECENT_ACTIVITY_MS), limit];
  const [summaryRows, turnRows] = await allOf([
    tx.query<SummaryRow>(
      `WITH ${recent}
       SELECT s.id, s.conversation_id, s.to_seq, s.last_said_at, c.thread_id
         FROM recent c JOIN summaries s ON s.tenant_id = c.tenant_id AND s.conversation_id = c.id
        WHERE s.tier = 'L3' AND s.tombstoned_at IS NULL AND s.last_said_at >= $4
        ORDER BY s.last_said_at DESC, s.id DESC LIMIT $5`,
      parameters,
    ),
    tx.query<TurnRow>(
      `WITH ${recent}
       SELECT g.id, g.conversation_id, g.seq, g.role, g.actor_id, g.content, g.said_at, c.thread_id
         FROM recent c CROSS JOIN LATERAL (
           SELECT g.id, g.conversation_id, g.seq, g.role, g.actor_id, g.content, g.said_at FROM messages g
            WHERE g.tenant_id = c.tenant_id AND g.conversation_id = c.id AND g.said_at >= $4
              AND g.seq >= c.message_count - ${MAX_MESSAGES}
              AND g.seq > coalesce((SELECT s.to_seq FROM summaries s
                                     WHERE s.tenant_id = c.tenant_id AND s.conversation_id = c.id
                                       AND s.tier = 'L3' AND s.tombstoned_at IS NULL), -1)
              AND g.role IN ('user', 'assistant') AND g.evicted_at IS NULL AND ${IS_RECALLABLE_SQL}
            ORDER BY g.seq DESC LIMIT $5) g
        ORDER BY g.said_at DESC, g.seq DESC LIMIT $5`,
      parameters,
    ),
  ]);
  const summaries = summaryRows.map((row) => ({
    type: 'summary' as const,
    id: row.id,
    conversationId: row.conversation_id,
    threadId: row.thread_id,
    toSeq: row.to_seq,
    lastSaidAt: row.last_said_at.getTime(),
  }));
  const turns = turnRows.map((row) => ({
    type: 'turn' as const,
    id: row.id,
    conversationId: row.conversation_id,
    threadId: row.thread_id,
    seq: row.seq,
    saidAt: row.said_at.getTime(),
    role: row.role,
    actorId: row.actor_id,
    content: row.content,
  }));
  const entries = listRecentActivity(summaries, turns, { now, limit });
  const sentences = await loadSummarySentences(
    tx,
    entries.filter(({ type }) => type === 'summary').map(({ id }) => id),
  );
  return entries.map((entry) =>
    entry.type === 'summary' ? { ...entry, sentences: sentences.get(entry.id) ?? [] } : entry,
  );
}
