import { type BatchPriority, INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { askForAppMemory } from '../app-memories/ask-for-app-memory.js';
import { assertSameKey } from '../audit/user-chain.js';
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
  const now = new Date(input.now);
  const pseudonym = tx.pseudonymOf(input.userId);
  const [row] = await tx.query<LockedConversationRow>(
    // Locks or inserts the user's row before the thread's, in the order in which an erasure locks them; the foreign key
    // would take the same lock after it. Of a user who is there, no row is tried to be inserted: that would wait for whoever
    // changes theirs, with the thread locked already, which may be what they wait for.
    `WITH held AS MATERIALIZED (SELECT user_id, pseudonym, forgotten_at FROM users WHERE user_id = $2 FOR KEY SHARE),
          owner AS (INSERT INTO users (user_id, created_at, pseudonym)
                    SELECT $2, $7::timestamptz, $10 WHERE NOT EXISTS (SELECT FROM held)
                    ON CONFLICT DO NOTHING RETURNING user_id, pseudonym, forgotten_at),
          known AS (SELECT * FROM held UNION ALL SELECT * FROM owner),
          thread AS (
            INSERT INTO conversations AS c
              (id, user_id, thread_id, agent_id, run_id, app_id, message_count, created_at, updated_at, ended_at, kind)
            SELECT $1, k.user_id, $3, $4, $5, $6, $8, $7, $7, CASE WHEN $9 THEN $7::timestamptz END,
                   coalesce($11::text, 'conversation') FROM known k
            ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE
               SET updated_at = excluded.updated_at, kind = coalesce($11, c.kind),
                   app_id = coalesce(excluded.app_id, c.app_id)
            -- Null also of a conversation that another transaction began meanwhile: rather counted twice than never.
            RETURNING c.id, c.message_count, c.app_id, c.xmax = 0 AS created,
                      (SELECT e.app_id FROM conversations e WHERE e.id = c.id) AS earlier_app_id)
     SELECT t.id, t.message_count, t.app_id, t.created, t.earlier_app_id, k.pseudonym, k.forgotten_at FROM thread t CROSS JOIN known k`,
    [
      newId,
      input.userId,
      threadId,
      input.agentId,
      input.runId,
      input.appId,
      now,
      messageCount,
      input.end,
      pseudonym,
      input.kind ?? null,
    ],
  );
  // A concurrent transaction inserted the user after this statement began, so only a later statement sees the row. No
  // lock is held yet.
  if (!row) return lockConversation(tx, newId, threadId, messageCount, input);
  assertSameKey(row.pseudonym, pseudonym);
  return row;
}

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
): Promise<number>[] {
  const fresh = shares.flatMap((share, index) => (share.openBatchId ? [] : [{ ...share, id: batchIds[index]! }]));
  const joined = shares.find((share) => share.openBatchId);
  const now = new Date(input.now);
  const statements: Promise<number>[] = [];
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
      tx.execute(
        `WITH made AS (
           INSERT INTO batches (id, conversation_id, user_id, state, message_count, sealed_at, accepted_at, trace,
                                priority)
           -- Always after the user's erasure, which may have been committed while this waited for the thread.
           SELECT r.id, $2, $3, 'queued', r.message_count, r.sealed_at, greatest($4::timestamptz,
                  (SELECT max(u.erased_at) + interval '1 millisecond' FROM users u WHERE u.user_id IN ($3, $7))), $5, $6
             FROM json_to_recordset($1) AS r (id uuid, message_count integer, sealed_at timestamptz))
         INSERT INTO work (id, kind, subject_id, generation, available_at, rank_at, trace, created_at)
         SELECT r.work_id, 'extraction', r.id, 1, r.available_at, r.rank_at, $5, $4
           FROM json_to_recordset($1) AS r (id uuid, work_id uuid, available_at timestamptz, rank_at timestamptz)`,
        [
          JSON.stringify(rows),
          conversationId,
          input.userId,
          now,
          input.trace,
          input.priority,
          tx.pseudonymOf(input.userId),
        ],
      ),
    );
  }
  return statements;
}

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
