import type { ConversationForgotten } from '@annals/contracts';
import type { MemoryChange } from '@annals/domain';
import { draftLostSource, draftPurge } from '../audit/draft-forgotten.js';
import { appendHistory, lockUser } from '../audit/user-chain.js';
import { lockOwnedAppMemories, remakeAppMemories } from '../app-memories/withdraw-app-memories.js';
import { IS_UNANSWERED_SQL } from '../context/unanswered-proposals.js';
import { allOf, type Tx } from '../database/transaction.js';
import { noteDeletion, threadSubject } from '../deletions/note-deletion.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { ContextProposalEntity } from '../entities/user-context.entity.js';
import { endAnswers } from '../idempotency/end-answers.js';
import { forgetAnswers } from '../idempotency/forget-answers.js';
import { removeUnits } from '../lexical/remove-units.js';
import { findMergedTexts } from '../memories/find-merged-texts.js';
import { selectMergedIntoSql } from '../memories/is-merged.js';
import { settleInsights, writeMemories, type WriteDependencies } from '../memories/write-memories.js';

type UnansweredProposal = Pick<ContextProposalEntity, 'id'> & { is_in_history: boolean };

type DerivedMemory = Pick<MemoryEntity, 'id' | 'content'> & {
  /** False when its batches created the memory, but without valid evidence. */
  cites_it: boolean;
  /** Neither it nor anything that was merged into it has another source or was written by hand. */
  is_based_on_it_alone: boolean;
};

/**
 * Deletes a conversation with its messages, batches and the models' answers about it. Memories that are based on it
 * alone, with all that was merged into them, are deleted as by the user, so that they can be restored until they are
 * purged; others lose this source. Both
 * are recorded in the history. Answers under an Idempotency-Key that mention any of it are deleted as well; those to
 * posts, of the route `acceptingRoute`, are ended. Null when the tenant has no such conversation.
 */
export async function forgetConversation(
  tx: Tx,
  { conversationId, actor, acceptingRoute }: { conversationId: string; actor: string; acceptingRoute: string },
  dependencies: WriteDependencies,
): Promise<ConversationForgotten | null> {
  tx.allowBulk();
  const [conversation] = await tx.query<Pick<ConversationEntity, 'user_id' | 'thread_id'>>(
    'SELECT user_id, thread_id FROM conversations WHERE id = $1',
    [conversationId],
  );
  if (!conversation) return null;
  const { user_id: userId, thread_id: threadId } = conversation;
  // Locks the user, the thread and its batches in the common lock order: running writers have ended, and nothing cites
  // the conversation from now on.
  const [, locked, messages, batches, derived, unanswered] = await allOf([
    lockUser(tx, userId, dependencies.clock.now()),
    tx.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [conversationId]),
    tx.query<Pick<MessageEntity, 'id'>>('SELECT id FROM messages WHERE conversation_id = $1', [conversationId]),
    tx.query<Pick<BatchEntity, 'id'>>('SELECT id FROM batches WHERE conversation_id = $1 ORDER BY id FOR UPDATE', [
      conversationId,
    ]),
    findDerivedMemories(tx, userId, conversationId),
    findUnansweredProposals(tx, userId, conversationId),
  ]);
  if (locked.length === 0) return null;
  const toDelete = derived.filter((memory) => memory.is_based_on_it_alone);
  const toKeep = derived.filter((memory) => memory.cites_it && !memory.is_based_on_it_alone);
  // Before the sources are deleted, since they determine the threads for which the change is recorded.
  const doomed = toDelete.map(({ id }) => id);
  const merged = await findMergedTexts(tx, doomed);
  const split = merged.map(({ id }) => id).filter((id) => !doomed.includes(id));
  const own = await deleteMemories(tx, { userId, actor, threadId, toDelete, split }, dependencies);
  const fallen = await settleInsights(
    tx,
    { userId, actor },
    { memoryIds: [], forgottenId: conversationId },
    dependencies,
  );
  const deleted = [...new Set([...own, ...fallen.map(({ id }) => id)])].toSorted();
  const kept = toKeep.filter(({ id }) => !split.includes(id));
  if (kept.length > 0) await recordLostSources(tx, { userId, actor, toKeep: kept }, dependencies);
  await removeUnits(tx, { userId, messageIds: messages.map(({ id }) => id) });
  await recordPurged(
    tx,
    { userId, actor, proposals: unanswered.filter((proposal) => proposal.is_in_history) },
    dependencies,
  );
  const { others } = await lockOwnedAppMemories(tx, { conversationId });
  await noteDeletion(tx, 'conversation_thread', threadSubject(tx, userId, threadId), dependencies.clock.now());
  const gone = [conversationId, ...[...messages, ...batches, ...kept].map(({ id }) => id), ...deleted];
  const [, answers, [forgotten]] = await allOf([
    // With the locks held: a post that was running meanwhile has stored its answer by now.
    endAnswers(tx, { route: acceptingRoute, userId, id: conversationId }),
    forgetAnswers(tx, { userId, ids: gone }),
    tx.query<{ counts: Record<string, number> }>('SELECT forget_conversation($1, $2) AS counts', [
      conversationId,
      unanswered.map(({ id }) => id),
    ]),
  ]);
  await remakeAppMemories(tx, others, {
    now: dependencies.clock.now(),
    ids: dependencies.ids,
    trace: null,
  });
  return {
    conversation_id: conversationId,
    counts: { ...forgotten!.counts, idempotency_keys: answers },
    memories_deleted: deleted,
    memories_kept: kept.map(({ id }) => id),
  };
}

/** Returns the ids of all that it deleted. */
async function deleteMemories(
  tx: Tx,
  {
    toDelete,
    split,
    ...command
  }: {
    userId: string;
    actor: string;
    threadId: string | null;
    toDelete: readonly DerivedMemory[];
    split: readonly string[];
  },
  dependencies: WriteDependencies,
): Promise<string[]> {
  if (toDelete.length === 0) return [];
  const changes = [
    ...split.map((id): MemoryChange => ({ kind: 'split', memoryId: id })),
    ...toDelete.map(({ id }): MemoryChange => ({ kind: 'delete', memoryId: id, by: 'user' })),
  ];
  const written = await writeMemories(tx, { ...command, node: 'api', changes }, dependencies);
  if (written.outcome !== 'applied') return [];
  return [...written.written, ...written.settled].flatMap(({ id, isDeleted }) => (isDeleted ? [id] : []));
}

/**
 * The memories that it led to: those that cite it, and those that its batches created without valid evidence, which
 * therefore have no source. A memory written through the API needs no source, even if a later message agrees with it
 * (docs/reference/writes.md#manually-created-memories). Memories removed by expiry or an undo are included: they would
 * otherwise be restored, with the emotional context of this conversation, when a message repeats them. What was merged
 * into a memory is deleted with it, so the memory stays unless all of that is based on this conversation alone as well.
 */
function findDerivedMemories(tx: Tx, userId: string, conversationId: string): Promise<DerivedMemory[]> {
  return tx.query<DerivedMemory>(
    `WITH RECURSIVE citing AS (
       SELECT s.memory_id AS id FROM memory_sources s
        WHERE s.user_id = $1 AND s.thread_id = (SELECT c.thread_id FROM conversations c WHERE c.id = $2)
     ), made AS (
       SELECT h.memory_id AS id FROM batches b JOIN history h ON h.tenant_id = b.tenant_id AND h.batch_id = b.id
        WHERE b.conversation_id = $2 AND h.event IN ('ADD', 'QUARANTINE')
     ), derived AS MATERIALIZED (
       SELECT m.id, m.content, m.id IN (SELECT id FROM citing) AS cites_it,
              m.origin = 'extraction' AND NOT EXISTS (
                SELECT FROM memory_sources o
                 WHERE o.tenant_id = m.tenant_id AND o.memory_id = m.id AND o.conversation_id <> $2) AS has_no_other_source
         FROM memories m
        WHERE m.user_id = $1 AND m.deleted_by IS DISTINCT FROM 'user'
          AND m.id IN (SELECT id FROM citing UNION SELECT id FROM made)
     ), merged AS (
       SELECT d.id AS successor_id, d.id FROM derived d WHERE d.has_no_other_source
       UNION
       SELECT s.successor_id, n.id FROM merged s CROSS JOIN LATERAL (${selectMergedIntoSql('$1', '= s.id')}) n
     )
     SELECT d.id, d.content, d.cites_it,
            d.has_no_other_source AND NOT EXISTS (
              SELECT FROM merged g JOIN memories m ON m.id = g.id
               WHERE g.successor_id = d.id AND m.deleted_by IS DISTINCT FROM 'user'
                 AND NOT EXISTS (SELECT FROM derived o WHERE o.id = m.id AND o.has_no_other_source)
            ) AS is_based_on_it_alone
       FROM derived d
      ORDER BY d.id`,
    [userId, conversationId],
  );
}

function recordLostSources(
  tx: Tx,
  { userId, actor, toKeep }: { userId: string; actor: string; toKeep: readonly DerivedMemory[] },
  dependencies: WriteDependencies,
) {
  return appendHistory(tx, { userId, actor, rows: toKeep.map(draftLostSource) }, dependencies);
}

/**
 * Proposals that are based on it alone and were not answered: their evidence no longer exists. `is_in_history`: the
 * history records how the proposal ended, with its content.
 */
function findUnansweredProposals(tx: Tx, userId: string, conversationId: string): Promise<UnansweredProposal[]> {
  return tx.query<UnansweredProposal>(
    `SELECT p.id, p.state <> 'pending' AS is_in_history
       FROM context_proposals p
      WHERE p.user_id = $1
        AND ${IS_UNANSWERED_SQL}
        AND p.message_ids <@ (SELECT coalesce(array_agg(m.id), '{}') FROM messages m WHERE m.conversation_id = $2)`,
    [userId, conversationId],
  );
}

function recordPurged(
  tx: Tx,
  { userId, actor, proposals }: { userId: string; actor: string; proposals: readonly UnansweredProposal[] },
  dependencies: WriteDependencies,
) {
  const rows = proposals.map(({ id }) => draftPurge(id, 'source_forgotten'));
  return appendHistory(tx, { userId, actor, rows }, dependencies);
}
