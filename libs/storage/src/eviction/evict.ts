import { type EvictableRow, planEviction } from '@annals/domain';
import { appendHistory } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { reindexConversations } from '../lexical/reindex-conversations.js';
import { removeUnits } from '../lexical/remove-units.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';

export interface Eviction {
  readonly turns: number;
  readonly facts: number;
  /** Turns above the limit that go as soon as a summary covers them. */
  readonly waiting: number;
  /** How many entries stay above the limit, being exempt. */
  readonly excess: number;
}

const NONE: Eviction = { turns: 0, facts: 0, waiting: 0, excess: 0 };

/** The actor in the audit history. */
const ACTOR = 'eviction';

type TurnRow = Pick<MessageEntity, 'id' | 'seq'>;
type FactRow = Pick<MemoryEntity, 'id' | 'recorded_at' | 'importance' | 'pinned'> & {
  consented: boolean;
  has_successor: boolean;
};

/**
 * Takes a conversation's oldest turns out of the index, and then its oldest facts, as far as it has more entries than
 * `maxEntries` (docs/reference/eviction.md). The caller has locked the user and the conversation and written the
 * summaries that cover them. Facts go like expired ones; turns leave the index, and their messages stay.
 */
export async function evictFromConversation(
  tx: Tx,
  conversation: { readonly userId: string; readonly conversationId: string; readonly threadId: string },
  maxEntries: number,
  dependencies: WriteDependencies,
): Promise<Eviction> {
  const { userId, conversationId, threadId } = conversation;
  const [turns, facts, [covered]] = await allOf([
    tx.query<TurnRow>(
      `SELECT g.id, g.seq FROM messages g
        WHERE g.conversation_id = $1 AND g.evicted_at IS NULL
          AND EXISTS (SELECT FROM lexical_units u WHERE u.message_id = g.id)
        ORDER BY g.seq`,
      [conversationId],
    ),
    loadFacts(tx, userId, conversationId, threadId),
    tx.query<{ through: number | null }>(
      `SELECT max(to_seq) AS through FROM summaries WHERE conversation_id = $1 AND tombstoned_at IS NULL`,
      [conversationId],
    ),
  ]);
  if (turns.length + facts.length <= maxEntries) return NONE;
  const rows: EvictableRow[] = [
    ...turns.map(({ id, seq }) => ({ type: 'turn' as const, id, seq })),
    ...facts.map((row) => ({
      type: 'fact' as const,
      id: row.id,
      createdAt: row.recorded_at.getTime(),
      importance: row.importance,
      pinned: row.pinned,
      consented: row.consented,
      hasSuccessor: row.has_successor,
    })),
  ];
  const plan = planEviction({ rows, summarizedThrough: covered?.through ?? null, maxEntries });
  if (plan.turns.length > 0) await evictTurns(tx, conversation, plan.turns, dependencies);
  if (plan.facts.length > 0) {
    const changes = plan.facts.map((memoryId) => ({ kind: 'delete', memoryId, by: 'eviction' }) as const);
    await writeMemories(
      tx,
      { userId, actor: ACTOR, node: 'worker', threadId, changes, existingUserOnly: true },
      dependencies,
    );
  }
  return { turns: plan.turns.length, facts: plan.facts.length, waiting: plan.waiting, excess: plan.excess };
}

/** Facts that are served and rest on this conversation alone. A fact is consented when a value of the context says it. */
function loadFacts(tx: Tx, userId: string, conversationId: string, threadId: string): Promise<FactRow[]> {
  return tx.query<FactRow>(
    `SELECT m.id, m.recorded_at, m.importance, m.pinned,
            EXISTS (SELECT FROM context_proposals p
                     WHERE p.user_id = $1 AND p.state = 'accepted'
                       AND EXISTS (SELECT FROM memory_sources s
                                    WHERE s.memory_id = m.id AND s.message_id = ANY (p.message_ids))) AS consented,
            EXISTS (SELECT FROM memories n WHERE n.id = m.superseded_by AND n.state <> 'soft_deleted') AS has_successor
       FROM memories m
      WHERE m.user_id = $1 AND m.state = 'active' AND m.origin = 'extraction'
        AND m.id IN (SELECT s.memory_id FROM memory_sources s WHERE s.user_id = $1 AND s.thread_id = $3)
        AND NOT EXISTS (SELECT FROM memory_sources o WHERE o.memory_id = m.id AND o.conversation_id <> $2)`,
    [userId, conversationId, threadId],
  );
}

async function evictTurns(
  tx: Tx,
  { userId, conversationId }: { readonly userId: string; readonly conversationId: string },
  messageIds: readonly string[],
  dependencies: WriteDependencies,
): Promise<void> {
  const now = new Date(dependencies.clock.now());
  await removeUnits(tx, { userId, messageIds });
  await tx.execute('UPDATE messages SET evicted_at = $2 WHERE id = ANY ($1)', [messageIds, now]);
  await recordTurns(tx, { userId, conversationId, event: 'EVICT', turns: messageIds.length }, dependencies);
}

/** One row of the history for all turns of a run, about the conversation. */
function recordTurns(
  tx: Tx,
  about: {
    readonly userId: string;
    readonly conversationId: string;
    readonly event: 'EVICT' | 'RESTORE';
    readonly turns: number;
  },
  dependencies: WriteDependencies,
  actor = ACTOR,
) {
  const { userId, conversationId, event, turns } = about;
  const rows = [
    { memoryId: null, event, oldRef: null, newRef: conversationId, content: '', meta: { subject: 'turns', turns } },
  ];
  return appendHistory(tx, { userId, actor, rows }, dependencies);
}

/**
 * Puts evicted turns of a conversation back into use and into the index, and returns how many. The caller has locked the
 * user and the conversation.
 */
export async function restoreEvictedTurns(
  tx: Tx,
  {
    userId,
    conversationId,
    actor,
  }: { readonly userId: string; readonly conversationId: string; readonly actor: string },
  dependencies: WriteDependencies,
): Promise<number> {
  const turns = await tx.execute(
    'UPDATE messages SET evicted_at = NULL WHERE conversation_id = $1 AND evicted_at IS NOT NULL',
    [conversationId],
  );
  if (turns === 0) return 0;
  await recordTurns(tx, { userId, conversationId, event: 'RESTORE', turns }, dependencies, actor);
  await reindexConversations(tx, { userId, conversationIds: [conversationId] });
  return turns;
}
