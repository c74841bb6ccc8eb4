import type { LostQuote, MemoryChange, TurnCut } from '@annals/domain';
import { withdrawAppMemoriesOf } from '../app-memories/withdraw-app-memories.js';
import { draftLostSource, draftPurge } from '../audit/draft-forgotten.js';
import { appendHistory } from '../audit/user-chain.js';
import { restartBatches } from '../batches/restart-batches.js';
import { editUserContext } from '../context/decide-context.js';
import { readGoals } from '../context/read-goals.js';
import { IS_UNANSWERED_SQL } from '../context/unanswered-proposals.js';
import { allOf, type Tx } from '../database/transaction.js';
import { type DeletionNote, noteDeletions } from '../deletions/note-deletion.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { ContextProposalEntity } from '../entities/user-context.entity.js';
import { forgetAnswers } from '../idempotency/forget-answers.js';
import { reindexConversations } from '../lexical/reindex-conversations.js';
import { findMergedTexts } from '../memories/find-merged-texts.js';
import { settleInsights, type WriteDependencies, writeMemories } from '../memories/write-memories.js';
import { countRelations } from '../relations/count-relations.js';
import { dropSentences } from '../summaries/drop-sentences.js';
import type { OtherText } from './forgettable-texts.js';

/** What goes of one user, and who asked for it. */
export interface ForgettingCommand {
  readonly userId: string;
  /** Actor for the audit history. */
  readonly actor: string;
  readonly memoryIds: readonly string[];
  readonly cuts: readonly TurnCut[];
  readonly lostQuotes: readonly LostQuote[];
  readonly others: readonly OtherText[];
}

type ForgottenMemory = Pick<MemoryEntity, 'id' | 'category' | 'type'>;

export interface ForgettingCounts {
  /** All memories that went, insights that lost their ground included. */
  readonly memories: readonly ForgottenMemory[];
  readonly summaries: number;
  readonly relations: number;
  readonly appMemories: number;
}

/**
 * Deletes what a plan names for good, with everything that was made of it: nothing of it can be restored
 * (docs/reference/forgetting.md#what-goes). The caller holds the user's row. What is being extracted is read again, and
 * what minds have read before is not written (`users.forgotten_at`).
 */
export async function carryOutForgetting(
  tx: Tx,
  command: ForgettingCommand,
  dependencies: WriteDependencies,
): Promise<ForgettingCounts> {
  tx.allowBulk();
  const { userId, actor, cuts } = command;
  const now = dependencies.clock.now();
  const messageIds = cuts.map(({ messageId }) => messageId);
  const conversationIds = await lockConversations(tx, messageIds);
  await restartBatches(tx, conversationIds, { now, ids: dependencies.ids });
  await cutMessages(tx, command, now);
  const deleted = await deleteMemories(tx, command, dependencies);
  const settled = await settleInsights(
    tx,
    { userId, actor },
    { memoryIds: [], cutMessageIds: messageIds },
    dependencies,
  );
  const fallen = settled.flatMap(({ id, isDeleted }) => (isDeleted ? [id] : []));
  const memoryIds = [...new Set([...deleted, ...fallen])].toSorted();
  const [relations, memories] = await allOf([
    countRelations(tx, memoryIds),
    tx.query<ForgottenMemory>('SELECT id, category, type FROM memories WHERE id = ANY ($1) ORDER BY id', [memoryIds]),
  ]);
  await purge(tx, { userId, actor, memoryIds }, dependencies);
  await reindexConversations(tx, { userId, conversationIds });
  const request = { now, ids: dependencies.ids, trace: null };
  const summaries = await dropSentences(
    tx,
    userId,
    { messageIds, sentences: pick(command.others, 'summary') },
    request,
  );
  const purgedIds = await forgetContext(tx, command, dependencies);
  await recordForgetting(tx, command, purgedIds, dependencies);
  await forgetAnswers(tx, { userId, ids: messageIds });
  await noteDeletions(tx, listDeletions(cuts, memoryIds, now), now);
  await tx.execute('UPDATE users SET forgotten_at = greatest(forgotten_at, $2) WHERE user_id = $1', [
    userId,
    new Date(now),
  ]);
  // Behind all locks on memories: those of other users may go with them.
  const appMemories = await withdrawAppMemoriesOf(
    tx,
    { messageIds, memoryIds: pick(command.others, 'app_memory').map(({ id }) => id) },
    request,
  );
  return { memories, summaries, relations, appMemories };
}

/** Entries of the list of deletions (docs/reference/deletions.md). */
function listDeletions(cuts: readonly TurnCut[], memoryIds: readonly string[], now: number): DeletionNote[] {
  const messages = cuts.map(({ messageId, rest, cut }): DeletionNote => {
    // With the time, since the same places can be cut out of the rest again.
    const places = rest === '' ? '' : `:${cut.map(({ start, end }) => `${start}-${end}`).join(',')}:${now}`;
    return { kind: 'message', subject: `${messageId}${places}` };
  });
  // Behind the messages: a replay then finds these without the words, and hides nothing of what stays of them.
  return [...messages, ...memoryIds.map((subject): DeletionNote => ({ kind: 'memory_forgotten', subject }))];
}

function pick<Kind extends OtherText['kind']>(others: readonly OtherText[], kind: Kind) {
  return others.filter((other): other is Extract<OtherText, { kind: Kind }> => other.kind === kind);
}

/** In the common lock order, behind the user. */
async function lockConversations(tx: Tx, messageIds: readonly string[]): Promise<string[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT c.id FROM conversations c
      WHERE c.id IN (SELECT m.conversation_id FROM messages m WHERE m.id = ANY ($1)) ORDER BY c.id FOR UPDATE`,
    [messageIds],
  );
  return rows.map(({ id }) => id);
}

async function cutMessages(tx: Tx, { cuts, lostQuotes, memoryIds }: ForgettingCommand, now: number): Promise<void> {
  if (cuts.length + memoryIds.length === 0) return;
  await tx.query('SELECT cut_messages($1, $2, $3, $4)', [
    JSON.stringify(cuts.map(({ messageId, rest }) => ({ id: messageId, content: rest }))),
    JSON.stringify(
      lostQuotes.map(({ memoryId, messageId, quote }) => ({ memory_id: memoryId, message_id: messageId, quote })),
    ),
    memoryIds,
    new Date(now),
  ]);
}

/**
 * Deletes memories as by the user, so that they can be purged at once. A text that a merge made is taken apart first:
 * what else was merged into it stays. Returns the ids of all that are deleted.
 */
async function deleteMemories(
  tx: Tx,
  { userId, actor, memoryIds }: ForgettingCommand,
  dependencies: WriteDependencies,
): Promise<string[]> {
  if (memoryIds.length === 0) return [];
  const split = (await findMergedTexts(tx, memoryIds)).filter(({ state }) => state !== 'soft_deleted');
  const changes = [
    ...split.map(({ id }): MemoryChange => ({ kind: 'split', memoryId: id })),
    ...memoryIds.map((id): MemoryChange => ({ kind: 'delete', memoryId: id, by: 'user' })),
  ];
  const command = { userId, actor, node: 'api', changes, existingUserOnly: true };
  const written = await writeMemories(tx, command, { ...dependencies, purgeAfterMs: 0 });
  if (written.outcome !== 'applied') return [];
  const deleted = [...written.written, ...written.settled].flatMap(({ id, isDeleted }) => (isDeleted ? [id] : []));
  return [...new Set([...memoryIds, ...deleted])];
}

async function purge(
  tx: Tx,
  { userId, actor, memoryIds }: { userId: string; actor: string; memoryIds: readonly string[] },
  dependencies: WriteDependencies,
): Promise<void> {
  if (memoryIds.length === 0) return;
  const now = dependencies.clock.now();
  // What was deleted before would wait for its time.
  await tx.execute(`UPDATE memories SET purge_at = $2 WHERE id = ANY ($1) AND state = 'soft_deleted'`, [
    memoryIds,
    new Date(now),
  ]);
  const changes = memoryIds.map((memoryId): MemoryChange => ({ kind: 'purge', memoryId }));
  await writeMemories(tx, { userId, actor, node: 'api', changes, existingUserOnly: true }, dependencies);
}

/** Returns the ids under which the history records it. */
async function forgetContext(
  tx: Tx,
  { userId, actor, others, cuts }: ForgettingCommand,
  dependencies: WriteDependencies,
): Promise<string[]> {
  const [fields, goals] = [pick(others, 'field'), pick(others, 'goal')];
  if (fields.length + goals.length > 0) {
    const gone = new Set(goals.map(({ value }) => value));
    const edit = {
      ...Object.fromEntries(fields.map(({ field }) => [field, null])),
      ...(goals.length === 0 ? {} : { goals: (await readGoals(tx, userId)).filter((goal) => !gone.has(goal)) }),
    };
    await editUserContext(tx, { userId, actor, edit, expectedRevision: null }, dependencies);
  }
  const [proposals, history] = [pick(others, 'proposal'), pick(others, 'history')];
  const whole = cuts.flatMap(({ messageId, rest }) => (rest === '' ? [messageId] : []));
  const groundless = await findGroundlessProposals(tx, userId, whole);
  const proposalIds = [...proposals.map(({ id }) => id), ...groundless];
  if (proposalIds.length + history.length === 0) return [];
  await tx.query('SELECT forget_consent($1, $2, $3)', [userId, proposalIds, history.map(({ seq }) => seq)]);
  return [...new Set([...proposalIds, ...history.map(({ subjectId }) => subjectId)])];
}

/** Proposals that rest on these messages alone and were not answered. */
async function findGroundlessProposals(tx: Tx, userId: string, messageIds: readonly string[]): Promise<string[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.query<Pick<ContextProposalEntity, 'id'>>(
    `SELECT p.id FROM context_proposals p
      WHERE p.user_id = $1 AND p.message_ids <@ $2::uuid[]
        AND ${IS_UNANSWERED_SQL}`,
    [userId, messageIds],
  );
  return rows.map(({ id }) => id);
}

/** That messages lost words, memories their quotes, and the context its values, without any of the words. */
async function recordForgetting(
  tx: Tx,
  { userId, actor, cuts, lostQuotes, memoryIds }: ForgettingCommand,
  purgedIds: readonly string[],
  dependencies: WriteDependencies,
): Promise<void> {
  const gone = new Set(memoryIds);
  const kept = [...new Set(lostQuotes.map(({ memoryId }) => memoryId))].filter((id) => !gone.has(id));
  const contents = await tx.query<Pick<MemoryEntity, 'id' | 'content'>>(
    'SELECT id, content FROM memories WHERE id = ANY ($1) ORDER BY id',
    [kept],
  );
  const rows = [
    ...cuts.map(({ messageId, rest }) =>
      draftPurge(messageId, rest === '' ? 'message_forgotten' : 'sentences_forgotten'),
    ),
    ...purgedIds.map((id) => draftPurge(id, 'forgotten')),
    ...contents.map(draftLostSource),
  ];
  if (rows.length > 0) await appendHistory(tx, { userId, actor, rows }, dependencies);
}
