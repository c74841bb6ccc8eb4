import type { Tx } from '../database/transaction.js';
import type { FoundEcho } from '../echoes/find-echoes.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';

/** SQL of whether one of the messages that `summary_sentences s` cites is hidden. */
export const CITES_HIDDEN_SQL = `EXISTS (
       SELECT FROM messages g WHERE g.id = ANY (s.message_ids) AND NOT ${IS_RECALLABLE_SQL})`;

/** Of the conversations `touched`: sentences that cite a hidden message go. */
const DROPPED_SQL = `dropped AS (
       DELETE FROM summary_sentences s USING touched t WHERE s.conversation_id = t.id AND ${CITES_HIDDEN_SQL}
       RETURNING s.summary_id, s.conversation_id
     )`;

/** What lost a sentence is made again. */
const REMAKE_SQL = `UPDATE summaries y SET fingerprint = ''
       FROM (SELECT DISTINCT summary_id AS id FROM dropped) d WHERE y.id = d.id`;

/**
 * The conversations whose messages a change of these memories may hide or show again: those that they cite, and those
 * with a turn that repeats one of them. `echoIds`: messages that are to be noted as such turns.
 */
export async function findConversationsOf(
  tx: Tx,
  userId: string,
  memoryIds: readonly string[],
  echoIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT s.conversation_id AS id FROM memory_sources s WHERE s.memory_id = ANY ($1)
      UNION
     SELECT g.conversation_id FROM conversations c
       JOIN messages g ON g.tenant_id = c.tenant_id AND g.conversation_id = c.id
      WHERE c.user_id = $2 AND g.echo_of IS NOT NULL AND g.echo_of && $1::uuid[]
      UNION
     SELECT g.conversation_id FROM messages g WHERE g.id = ANY ($3)
      ORDER BY 1`,
    [memoryIds, userId, echoIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes along what summaries and tombstones say of hidden messages, in the transaction that hides them
 * (docs/reference/summaries.md#the-tree), and moves the watermark of the conversations. Run it behind the statements
 * that change the memories.
 */
export function dropHiddenSentences(tx: Tx, conversationIds: readonly string[]): Promise<number> {
  return tx.execute(
    `WITH touched AS (
       UPDATE conversations SET deletions = deletions + 1 WHERE id = ANY ($1) RETURNING id
     ), ${DROPPED_SQL} ${REMAKE_SQL}`,
    [conversationIds],
  );
}

/** The same for new summaries, made of messages which a deletion hid meanwhile; its watermark has moved already. */
export function dropSentencesHiddenMeanwhile(tx: Tx, summaryIds: readonly string[]): Promise<number> {
  return tx.execute(
    `WITH dropped AS (
       DELETE FROM summary_sentences s WHERE s.summary_id = ANY ($1) AND ${CITES_HIDDEN_SQL} RETURNING s.summary_id
     ) ${REMAKE_SQL}`,
    [summaryIds],
  );
}

/**
 * The same for turns that are found only now to repeat something, in the transaction that notes them: of what was deleted
 * before. The watermark moves where a sentence was dropped.
 */
export function dropSentencesOfEchoes(tx: Tx, echoes: readonly FoundEcho[]): Promise<number> {
  return tx.execute(
    `WITH touched AS (
       SELECT DISTINCT g.conversation_id AS id FROM messages g WHERE g.id = ANY ($1)
     ), ${DROPPED_SQL}, moved AS (
       UPDATE conversations SET deletions = deletions + 1 WHERE id IN (SELECT conversation_id FROM dropped)
     ) ${REMAKE_SQL}`,
    [[...new Set(echoes.map(({ messageId }) => messageId))]],
  );
}

/** Those of the conversations that have summaries. */
export async function findSummarized(tx: Tx, conversationIds: readonly string[]): Promise<string[]> {
  if (conversationIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT conversation_id AS id FROM summaries
      WHERE conversation_id = ANY ($1) AND tombstoned_at IS NULL ORDER BY 1`,
    [conversationIds],
  );
  return rows.map(({ id }) => id);
}
