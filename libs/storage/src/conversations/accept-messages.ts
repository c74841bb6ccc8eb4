import { type BatchPriority, INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { askForAppMemory } from '../app-memories/ask-for-app-memory.js';
import { assertSameKey } from '../audit/user-chain.js';
import { defineSet } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { findForgotten } from '../forgetting/find-forgotten.js';
import { askForSummaries } from '../summaries/ask-for-summaries.js';
import { rankAt } from '../work/postgres-work-store.js';
import { insertMessages, type Placement } from './insert-messages.js';
import type { AcceptMessagesInput, NewMessage } from './post-input.js';
import { type BatchShare, findNewMessages, planBatches } from './plan-post.js';

export type { AcceptMessagesInput, NewMessage };

export interface AcceptMessagesResult {
  readonly conversationId: string;
  readonly threadId: string;
  /** Whether it began with this post. */
  readonly created: boolean;
  /** Whether this post was the first that named an app. */
  readonly joinsApps: boolean;
  readonly batchIds: readonly string[];
  readonly accepted: number;
  /** Number of accepted messages with role `user`. */
  readonly acceptedTurns: number;
  readonly duplicates: number;
}

const NOTHING_FORGOTTEN: Placement['forgotten'] = new Map();

function endRequest({ now, trace }: AcceptMessagesInput, ids: IdGenerator) {
  return { now, trace, ids, availableAt: now };
}

type ConversationRow = Pick<ConversationEntity, 'id' | 'message_count' | 'app_id'> & {
  created: boolean;
  /** Before this post. */
  earlier_app_id: string | null;
  /** When something of the user was last forgotten. */
  forgotten_at: Date | null;
};
type LockedConversationRow = ConversationRow & Pick<UserEntity, 'pseudonym'>;

/**
 * Stores the new messages of a post and assigns them to batches (docs/reference/batches.md#duplicate-messages,
 * docs/reference/batches.md#sealing-a-batch), with the work rows that publish the batches to extraction. The
 * conversation's row is locked first, so posts to one thread are serialized. Throws MessageConflictError, or
 * SecretKeyMismatchError for a user whose history no memory of these messages could be appended to, and then nothing is
 * stored.
 */
export async function acceptMessages(
  tx: Tx,
  input: AcceptMessagesInput,
  ids: IdGenerator,
): Promise<AcceptMessagesResult> {
  const newConversationId = ids.next();
  const threadId = input.threadId ?? newConversationId;
  const uniqueMessages = findNewMessages(input.messages, new Map());
  const conversation = await lockConversation(tx, newConversationId, threadId, uniqueMessages.length, input);
  const known = conversation.created
    ? { stored: new Map<string, Buffer | null>(), open: null }
    : await loadKnown(tx, conversation.id, uniqueMessages);
  const newMessages = findNewMessages(input.messages, known.stored);
  const forgotten =
    conversation.forgotten_at === null ? NOTHING_FORGOTTEN : await findForgotten(tx, input.userId, newMessages);
  const sealAll = input.flush || input.end || input.windowMs === 0;
  const shares = planBatches(newMessages.length, known.open, input.maxMessages, sealAll);
  const batchIds = shares.map((share) => share.openBatchId ?? ids.next());
  const firstSeq = conversation.created ? 0 : conversation.message_count;
  // An open batch is sealed by a request to end or flush, or when it is full under a reduced limit: there are never two
  // open batches.
  const closesOpen = newMessages.length > 0 || input.end || input.flush;
  const bypassed = known.open && !shares.some((share) => share.openBatchId) && closesOpen ? known.open.id : null;
  const statements = [
    ...(bypassed === null ? [] : [sealBatches(tx, [bypassed], input.now)]),
    ...(known.open?.priority === 'bulk' && input.priority === 'interactive' && shares[0]?.openBatchId
      ? [raiseBatchPriority(tx, known.open.id)]
      : []),
    ...writeShares(tx, conversation.id, input, shares, batchIds, ids),
    ...(newMessages.length > 0
      ? [insertMessages(tx, conversation.id, input, newMessages, { shares, batchIds, firstSeq, forgotten }, ids)]
      : []),
    ...(input.end ? [askForSummaries(tx, [conversation.id], endRequest(input, ids))] : []),
    ...(input.end && conversation.app_id !== null
      ? [askForAppMemory(tx, [conversation.id], endRequest(input, ids))]
      : []),
    ...(conversation.created ? [] : [updateConversation(tx, conversation.id, newMessages.length, input)]),
  ];
  tx.atCommit(...statements);
  return {
    conversationId: conversation.id,
    threadId,
    created: conversation.created,
    joinsApps: conversation.app_id !== null && conversation.earlier_app_id === null,
    batchIds,
    accepted: newMessages.length,
    acceptedTurns: newMessages.filter(({ role }) => role === 'user').length,
    duplicates: input.messages.length - newMessages.length,
  };
}

async function lockConversation(
  tx: Tx,
  newId: string,
  threadId: string,
  messageCount: number,
  input: AcceptMessagesInput,
): Promise<ConversationRow> {
  const pseudonym = tx.pseudonymOf(input.userId);
  const [row] = await tx.each(LOCK_CONVERSATION, {
    new_id: newId,
    user_id: input.userId,
    thread_id: threadId,
    agent_id: input.agentId,
    run_id: input.runId,
    app_id: input.appId,
    posted_at: new Date(input.now),
    message_count: messageCount,
    ends: input.end,
    pseudonym,
    kind: input.kind ?? null,
  });
  // A concurrent transaction inserted the user after this statement began, so only a later statement sees the row. No
  // lock is held yet.
  if (!row) return lockConversation(tx, newId, threadId, messageCount, input);
  assertSameKey(row.pseudonym, pseudonym);
  return row;
}

interface LockGiven extends Pick<ConversationEntity, 'user_id' | 'thread_id' | 'agent_id' | 'run_id' | 'app_id'> {
  readonly new_id: string;
  readonly posted_at: Date;
  readonly message_count: number;
  readonly ends: boolean;
  readonly pseudonym: string;
  readonly kind: string | null;
}

// Locks or inserts the user's row before the thread's, in the order in which an erasure locks them; the foreign key
// would take the same lock after it. Of a user who is there, no row is tried to be inserted: that would wait for whoever
// changes theirs, with the thread locked already, which may be what they wait for.
const LOCK_CONVERSATION = defineSet<LockGiven, LockedConversationRow>(
  `new_id uuid, user_id text, thread_id text, agent_id text, run_id text, app_id text, posted_at timestamptz,
   message_count integer, ends boolean, pseudonym text, kind text`,
  `SELECT given.w, t.id, t.message_count, t.app_id, t.created, t.earlier_app_id, k.pseudonym, k.forgotten_at
     FROM given
     JOIN thread t ON t.user_id = given.user_id AND t.thread_id = given.thread_id
     JOIN known k ON k.user_id = given.user_id`,
  `held AS MATERIALIZED (
     SELECT u.user_id, u.pseudonym, u.forgotten_at FROM given CROSS JOIN LATERAL (
       SELECT h.user_id, h.pseudonym, h.forgotten_at FROM users h WHERE h.user_id = given.user_id FOR KEY SHARE) u
   ), owner AS (
     INSERT INTO users (user_id, created_at, pseudonym)
     SELECT given.user_id, given.posted_at, given.pseudonym FROM given
      WHERE NOT EXISTS (SELECT FROM held h WHERE h.user_id = given.user_id)
     ON CONFLICT DO NOTHING RETURNING user_id, pseudonym, forgotten_at
   ), known AS (SELECT * FROM held UNION ALL SELECT * FROM owner), thread AS (
     INSERT INTO conversations AS c
       (id, user_id, thread_id, agent_id, run_id, app_id, message_count, created_at, updated_at, ended_at, kind)
     SELECT g.new_id, k.user_id, g.thread_id, g.agent_id, g.run_id, g.app_id, g.message_count, g.posted_at, g.posted_at,
            CASE WHEN g.ends THEN g.posted_at END, coalesce(g.kind, 'conversation')
       FROM given g JOIN known k ON k.user_id = g.user_id
     -- The kind that the post names is not in the row that it would have inserted when it names none.
     ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE
        SET updated_at = excluded.updated_at,
            kind = coalesce((SELECT g.kind FROM given g
                              WHERE g.user_id = excluded.user_id AND g.thread_id = excluded.thread_id), c.kind),
            app_id = coalesce(excluded.app_id, c.app_id)
     -- Null also of a conversation that another transaction began meanwhile: rather counted twice than never.
     RETURNING c.id, c.user_id, c.thread_id, c.message_count, c.app_id, c.xmax = 0 AS created,
               (SELECT e.app_id FROM conversations e WHERE e.id = c.id) AS earlier_app_id
   )`,
);

async function loadKnown(tx: Tx, conversationId: string, messages: readonly NewMessage[]) {
  const externalIds = messages.flatMap((message) => (message.externalId === null ? [] : [message.externalId]));
  const [stored, open] = await allOf([
    externalIds.length === 0
      ? Promise.resolve([])
      : tx.query<Pick<MessageEntity, 'content_hmac'> & { external_id: string }>(
          'SELECT external_id, content_hmac FROM messages WHERE conversation_id = $1 AND external_id = ANY ($2)',
          [conversationId, externalIds],
        ),
    // Locked, since a worker that claims the batch seals it, and then no message may join it.
    tx.query<Pick<BatchEntity, 'id' | 'message_count' | 'priority'>>(
      'SELECT id, message_count, priority FROM batches WHERE conversation_id = $1 AND sealed_at IS NULL FOR UPDATE',
      [conversationId],
    ),
  ]);
  return {
    stored: new Map(stored.map((row) => [row.external_id, row.content_hmac])),
    open: open[0] ? { id: open[0].id, messageCount: open[0].message_count, priority: open[0].priority } : null,
  };
}

function writeShares(
  tx: Tx,
  conversationId: string,
  input: AcceptMessagesInput,
  shares: readonly BatchShare[],
  batchIds: readonly string[],
  ids: IdGenerator,
): Promise<unknown>[] {
  const fresh = shares.flatMap((share, index) => (share.openBatchId ? [] : [{ ...share, id: batchIds[index]! }]));
  const joined = shares.find((share) => share.openBatchId);
  const now = new Date(input.now);
  const statements: Promise<unknown>[] = [];
  if (joined) {
    statements.push(
      tx.execute('UPDATE batches SET message_count = message_count + $2, revision = revision + 1 WHERE id = $1', [
        joined.openBatchId,
        joined.take,
      ]),
    );
    if (joined.sealed) statements.push(sealBatches(tx, [joined.openBatchId!], input.now));
  }
  if (fresh.length > 0) {
    const rows = fresh.map((share) => ({
      id: share.id,
      work_id: ids.next(),
      message_count: share.take,
      sealed_at: share.sealed ? now : null,
      ...dueAt(share.sealed ? input.now : input.now + input.windowMs, input.priority),
    }));
    statements.push(
      tx.each(MAKE_BATCHES, {
        rows,
        conversation_id: conversationId,
        user_id: input.userId,
        accepted_at: now,
        trace: input.trace,
        priority: input.priority,
        pseudonym: tx.pseudonymOf(input.userId),
      }),
    );
  }
  return statements;
}

interface MakeBatchesGiven {
  readonly rows: readonly object[];
  readonly conversation_id: string;
  readonly user_id: string;
  readonly accepted_at: Date;
  readonly trace: string | null;
  readonly priority: BatchPriority;
  readonly pseudonym: string;
}

const MAKE_BATCHES = defineSet<MakeBatchesGiven>(
  `rows json, conversation_id uuid, user_id text, accepted_at timestamptz, trace text, priority text, pseudonym text`,
  `INSERT INTO work (id, kind, subject_id, generation, available_at, rank_at, trace, created_at)
   SELECT r.work_id, 'extraction', r.id, 1, r.available_at, r.rank_at, r.trace, r.accepted_at FROM fresh r`,
  `fresh AS (
     SELECT given.*, r.* FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
         AS r (id uuid, work_id uuid, message_count integer, sealed_at timestamptz, available_at timestamptz,
               rank_at timestamptz)
   ), made AS (
     INSERT INTO batches (id, conversation_id, user_id, state, message_count, sealed_at, accepted_at, trace, priority)
     -- Always after the user's erasure, which may have been committed while this waited for the thread.
     SELECT r.id, r.conversation_id, r.user_id, 'queued', r.message_count, r.sealed_at, greatest(r.accepted_at,
            (SELECT max(u.erased_at) + interval '1 millisecond' FROM users u WHERE u.user_id IN (r.user_id, r.pseudonym))),
            r.trace, r.priority
       FROM fresh r
   )`,
);

function dueAt(availableAt: number, priority: BatchPriority) {
  return { available_at: new Date(availableAt), rank_at: rankAt(availableAt, priority) };
}

/** Makes an open bulk batch interactive, since a caller waits for some of its messages. */
function raiseBatchPriority(tx: Tx, batchId: string): Promise<number> {
  return tx.execute(
    `WITH prioritized AS (UPDATE batches SET priority = 'interactive' WHERE id = $1)
     UPDATE work SET rank_at = available_at - $2 * interval '1 millisecond'
      WHERE subject_id = $1 AND kind = 'extraction' AND released_at IS NULL`,
    [batchId, INTERACTIVE_PRIORITY_BOOST_MS],
  );
}

/** Seals batches and makes them due, each with its existing priority boost. */
export async function sealBatches(tx: Tx, batchIds: readonly string[], now: number): Promise<number> {
  return tx.execute(
    `WITH sealed AS (
       UPDATE batches SET sealed_at = $2, revision = revision + 1 WHERE id = ANY ($1) AND sealed_at IS NULL)
     UPDATE work SET available_at = $2, rank_at = $2::timestamptz - (available_at - rank_at)
      WHERE subject_id = ANY ($1) AND kind = 'extraction' AND released_at IS NULL AND available_at > $2`,
    [batchIds, new Date(now)],
  );
}

/** New messages reopen an ended conversation, since a user may continue it. */
function updateConversation(
  tx: Tx,
  conversationId: string,
  added: number,
  input: AcceptMessagesInput,
): Promise<number> {
  return tx.execute(
    `UPDATE conversations
        SET message_count = message_count + $2,
            ended_at = CASE WHEN $3 THEN coalesce(CASE WHEN $2 = 0 THEN ended_at END, $4) WHEN $2 > 0 THEN NULL
                            ELSE ended_at END
      WHERE id = $1`,
    [conversationId, added, input.end, new Date(input.now)],
  );
}
