import type { MessageRole } from '@annals/contracts';
import type { InsightMemory } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { IS_CURRENT_SQL } from '../memories/is-current.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';

/** What one run may read, all of it of one agent, or of nobody's in particular. */
export interface StoredInsightSources {
  /** The agent that began the latest conversation; null for none. */
  readonly agentId: string | null;
  /** The person's latest messages and those of the latest conversation, oldest first. */
  readonly messages: readonly InsightTurn[];
  readonly memories: readonly InsightMemory[];
}

export interface InsightTurn {
  readonly id: string;
  readonly role: MessageRole;
  readonly actorId: string | null;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
  readonly isOfLatestConversation: boolean;
}

/** Conversations whose messages are read, the latest first. */
const MAX_CONVERSATIONS = 100;
/** Of the person, in all of these. */
const MAX_MESSAGES = 400;
/** Of the latest conversation, with those of others. */
const MAX_LATEST = 50;
const MAX_MEMORIES = 3;

type TurnRow = Pick<MessageEntity, 'id' | 'role' | 'actor_id' | 'content' | 'said_at'> & { is_latest: boolean };
interface MemoryRow {
  readonly id: string;
  readonly content: string;
  readonly said_at: Date;
  readonly message_id: string | null;
}

/**
 * A turn is compared with what was deleted when it is indexed, and from then on with what is deleted: before, nobody knows
 * whether a deletion hides it.
 */
const IS_INDEXED_SQL = 'EXISTS (SELECT FROM batches b WHERE b.id = g.batch_id AND b.indexed_at IS NOT NULL)';

/**
 * What insights about a person are made from (docs/reference/insights.md#what-is-read): messages that nothing deleted
 * hides, and what was stated, or came back, behind the change `sinceSeq` of the person's history (null: ever). Not since a
 * time: what is written during a run would be older than its end, and was not read by it. Only conversations of one agent, with those of nobody
 * in particular, so that no insight carries what was said to one agent to another.
 */
export async function loadInsightSources(
  tx: Tx,
  { userId, sinceSeq }: { readonly userId: string; readonly sinceSeq: string | null },
): Promise<StoredInsightSources> {
  const [latest] = await tx.query<{ id: string; agent_id: string | null }>(
    `SELECT c.id, c.agent_id FROM conversations c
      WHERE c.user_id = $1 AND c.message_count > 0 ORDER BY c.updated_at DESC, c.id DESC LIMIT 1`,
    [userId],
  );
  if (!latest) return { agentId: null, messages: [], memories: [] };
  const { id: latestId, agent_id: agentId } = latest;
  const [turns, memories] = await allOf([
    tx.query<TurnRow>(
      `WITH scope AS (
         SELECT c.id FROM conversations c
          WHERE c.user_id = $1 AND (c.agent_id IS NULL OR c.agent_id = $3)
          ORDER BY c.updated_at DESC, c.id DESC LIMIT ${MAX_CONVERSATIONS}
       ), spoken AS (
         SELECT m.id FROM scope s, LATERAL (
           SELECT g.id, g.said_at FROM messages g WHERE g.conversation_id = s.id AND g.role = 'user'
            ORDER BY g.seq DESC LIMIT ${MAX_MESSAGES}) m
          ORDER BY m.said_at DESC, m.id DESC LIMIT ${MAX_MESSAGES}
       ), last AS (
         SELECT g.id FROM messages g WHERE g.conversation_id = $2 AND g.role IN ('user', 'assistant')
          ORDER BY g.seq DESC LIMIT ${MAX_LATEST}
       )
       SELECT g.id, g.role, g.actor_id, g.content, g.said_at, g.conversation_id = $2 AS is_latest
         FROM messages g
        WHERE g.id IN (SELECT id FROM spoken UNION SELECT id FROM last) AND ${IS_RECALLABLE_SQL} AND ${IS_INDEXED_SQL}
        ORDER BY g.said_at, g.id`,
      [userId, latestId, agentId],
    ),
    tx.query<MemoryRow>(
      `SELECT m.id, m.content, coalesce(s.said_at, m.valid_from) AS said_at, s.message_id
         FROM memories m LEFT JOIN LATERAL (
           SELECT n.message_id, n.said_at FROM memory_sources n WHERE n.memory_id = m.id
            ORDER BY n.said_at DESC, n.message_id DESC LIMIT 1) s ON true
        WHERE m.user_id = $1 AND ${IS_CURRENT_SQL} AND m.type = 'semantic'
          AND ($2::bigint IS NULL OR m.id IN (
                SELECT h.memory_id FROM history h
                 WHERE h.user_id = $1 AND h.seq > $2
                    AND (h.event IN ('ADD', 'RESTORE')
                         OR h.event = 'UNDO' AND h.meta ->> 'undone' IN ('DELETE', 'TTL', 'EVICT'))))
          AND (s.message_id IS NULL OR EXISTS (
                SELECT FROM memory_sources o JOIN conversations c ON c.id = o.conversation_id
                 WHERE o.memory_id = m.id AND (c.agent_id IS NULL OR c.agent_id = $3)))
        ORDER BY m.recorded_at DESC, m.id DESC LIMIT ${MAX_MEMORIES}`,
      [userId, sinceSeq, agentId],
    ),
  ]);
  return {
    agentId,
    messages: turns.map((turn) => ({
      id: turn.id,
      role: turn.role,
      actorId: turn.actor_id,
      content: turn.content,
      saidAt: turn.said_at.getTime(),
      isOfLatestConversation: turn.is_latest,
    })),
    memories: memories.map(({ id, content, said_at, message_id: messageId }) => {
      return { id, content, saidAt: said_at.getTime(), messageId };
    }),
  };
}
