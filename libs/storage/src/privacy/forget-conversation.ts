import type { ConversationForgotten } from '@annals/contracts';
import type { MemoryChange } from '@annals/domain';
import { appendHistory } from '../audit/append-history.js';
import { lockUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import { removeUnits } from '../lexical/index.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';

interface UnansweredProposal {
  id: string;
  is_in_history: boolean;
}

interface DerivedMemory {
  id: string;
  content: string;
  /** False where its batches made it, but none of its evidence held. */
  cites_it: boolean;
  has_no_other_source: boolean;
}

/**
 * Forgets a conversation with its messages, batches and what models answered about it. Memories that rest on it alone
 * are deleted as by the user, so that they can be restored until they are purged; others lose this source. Both stand in
 * the history. Null when the tenant has no such conversation.
 */
export async function forgetConversation(
  tx: Tx,
  { conversationId, actor }: { conversationId: string; actor: string },
  dependencies: WriteDependencies,
): Promise<ConversationForgotten | null> {
  const [owner] = await tx.query<{ user_id: string }>('SELECT user_id FROM conversations WHERE id = $1', [
    conversationId,
  ]);
  if (!owner) return null;
  const userId = owner.user_id;
  // The user, then the thread, as everyone locks them: whoever was writing has ended, and nobody cites it from now on.
  const [, locked, messages, derived, unanswered] = await allOf([
    lockUser(tx, userId, dependencies.clock.now()),
    tx.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [conversationId]),
    tx.query<{ id: string }>('SELECT id FROM messages WHERE conversation_id = $1', [conversationId]),
    findDerivedMemories(tx, userId, conversationId),
    findUnansweredProposals(tx, userId, conversationId),
  ]);
  if (locked.length === 0) return null;
  const toDelete = derived.filter((memory) => memory.has_no_other_source);
  const toKeep = derived.filter((memory) => memory.cites_it && !memory.has_no_other_source);
  // Before the sources go, since they tell which threads are to hear of it.
  if (toDelete.length > 0) {
    const changes = toDelete.map(({ id }): MemoryChange => ({ kind: 'delete', memoryId: id, by: 'user' }));
    await writeMemories(tx, { userId, actor, node: 'api', changes, embeddings: new Map() }, dependencies);
  }
  if (toKeep.length > 0) await recordLostSources(tx, { userId, actor, toKeep }, dependencies);
  await removeUnits(tx, { userId, messageIds: messages.map(({ id }) => id) });
  await recordPurged(
    tx,
    { userId, actor, proposals: unanswered.filter((proposal) => proposal.is_in_history) },
    dependencies,
  );
  const [forgotten] = await tx.query<{ counts: Record<string, number> }>(
    'SELECT forget_conversation($1, $2) AS counts',
    [conversationId, unanswered.map(({ id }) => id)],
  );
  return {
    conversation_id: conversationId,
    counts: forgotten!.counts,
    memories_deleted: toDelete.map(({ id }) => id),
    memories_kept: toKeep.map(({ id }) => id),
  };
}

/**
 * The memories that it led to: those that cite it, and those that its batches made without evidence that held, which no
 * source tells. What a person wrote by hand needs no source, whatever was said later that agrees with it
 * (docs/reference/writes.md#memories-written-by-hand). What time or an undo removed would come back when it is said
 * again, with what was felt in this conversation.
 */
function findDerivedMemories(tx: Tx, userId: string, conversationId: string): Promise<DerivedMemory[]> {
  return tx.query<DerivedMemory>(
    `WITH citing AS (
       SELECT s.memory_id AS id FROM memory_sources s
        WHERE s.user_id = $1 AND s.thread_id = (SELECT c.thread_id FROM conversations c WHERE c.id = $2)
     ), made AS (
       SELECT h.memory_id AS id FROM batches b JOIN history h ON h.tenant_id = b.tenant_id AND h.batch_id = b.id
        WHERE b.conversation_id = $2 AND h.event IN ('ADD', 'QUARANTINE')
     )
     SELECT m.id, m.content, m.id IN (SELECT id FROM citing) AS cites_it,
            m.origin = 'extraction' AND NOT EXISTS (
              SELECT FROM memory_sources o
               WHERE o.tenant_id = m.tenant_id AND o.memory_id = m.id AND o.conversation_id <> $2) AS has_no_other_source
       FROM memories m
      WHERE m.user_id = $1 AND m.deleted_by IS DISTINCT FROM 'user'
        AND m.id IN (SELECT id FROM citing UNION SELECT id FROM made)
      ORDER BY m.id`,
    [userId, conversationId],
  );
}

function recordLostSources(
  tx: Tx,
  { userId, actor, toKeep }: { userId: string; actor: string; toKeep: readonly DerivedMemory[] },
  dependencies: WriteDependencies,
) {
  const rows = toKeep.map(({ id, content }) => ({
    memoryId: id,
    event: 'UPDATE' as const,
    oldRef: null,
    newRef: null,
    content,
    // Nothing that an undo could bring back.
    meta: { reason: 'source_forgotten', from: {} },
  }));
  return appendHistory(tx, { userId, actor, rows }, dependencies);
}

/**
 * Proposals that rest on it alone and that nobody answered: nobody can be asked to consent to what was never said. What
 * was accepted is in use, and a person's no stays, or what they refused would be proposed anew. `is_in_history`: the history
 * says how it ended, and with what words.
 */
function findUnansweredProposals(tx: Tx, userId: string, conversationId: string): Promise<UnansweredProposal[]> {
  return tx.query<UnansweredProposal>(
    `SELECT p.id, p.state <> 'pending' AS is_in_history
       FROM context_proposals p
      WHERE p.user_id = $1
        AND (p.state IN ('pending', 'expired') OR p.state = 'withdrawn' AND p.decided_by = 'newer')
        AND p.message_ids <@ (SELECT coalesce(array_agg(m.id), '{}') FROM messages m WHERE m.conversation_id = $2)`,
    [userId, conversationId],
  );
}

function recordPurged(
  tx: Tx,
  { userId, actor, proposals }: { userId: string; actor: string; proposals: readonly UnansweredProposal[] },
  dependencies: WriteDependencies,
) {
  const rows = proposals.map(({ id }) => ({
    memoryId: id,
    event: 'PURGE' as const,
    oldRef: null,
    newRef: null,
    content: '',
    meta: { reason: 'source_forgotten' },
  }));
  return appendHistory(tx, { userId, actor, rows }, dependencies);
}
