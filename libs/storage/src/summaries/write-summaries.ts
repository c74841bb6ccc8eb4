import type { SummarySentence, SummaryStep } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { dropSentencesHiddenMeanwhile } from './drop-hidden-sentences.js';

/** A summary as it was made. */
export interface MadeSummary {
  readonly id: string;
  readonly step: Omit<SummaryStep, 'inputs' | 'prompt' | 'targetTokens'>;
  readonly sentences: readonly SummarySentence[];
  readonly tokens: number;
  /** `local`, or the provider whose model made it. */
  readonly provider: string;
  readonly model: string | null;
  /** Epoch ms of the last message that it covers. */
  readonly lastSaidAt: number;
}

/**
 * Locks a user and a conversation, in the order of all writers, until the end of the transaction. False when there is
 * no such conversation (any more).
 */
export async function lockConversation(tx: Tx, userId: string, conversationId: string): Promise<boolean> {
  await tx.query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId]);
  const rows = await tx.query('SELECT FROM conversations WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE', [
    conversationId,
    userId,
  ]);
  return rows.length > 0;
}

/**
 * Writes summaries, and makes tombstones of those that they replace and of `tombstones`. The caller has locked the
 * conversation. What messages say that were hidden meanwhile is not written. Of each place, the three newest tombstones
 * are kept.
 */
export async function writeSummaries(
  tx: Tx,
  conversationId: string,
  { made, tombstones, now }: { made: readonly MadeSummary[]; tombstones: readonly string[]; now: number },
): Promise<void> {
  const places = made.map(({ id, step: { tier, position } }) => ({ by: id, tier, position }));
  const gone = tombstones.map((id) => ({ id }));
  // By their place: a summary that was restored meanwhile gives way to the newer one as well.
  await tx.execute(
    `WITH made AS (SELECT * FROM json_to_recordset($2) AS r (by uuid, tier text, position integer)),
          gone AS (SELECT id FROM json_to_recordset($3) AS r (id uuid))
     UPDATE summaries s
        SET tombstoned_at = $4,
            replaced_by = (SELECT r.by FROM made r WHERE r.tier = s.tier AND r.position = s.position)
      WHERE s.conversation_id = $1 AND s.tombstoned_at IS NULL
        AND (s.id IN (SELECT id FROM gone) OR (s.tier, s.position) IN (SELECT r.tier, r.position FROM made r))`,
    [conversationId, JSON.stringify(places), JSON.stringify(gone), new Date(now)],
  );
  if (made.length === 0) return;
  const rows = made.map(({ id, step, tokens, provider, model, lastSaidAt }) => ({
    id,
    tier: step.tier,
    position: step.position,
    level: step.level,
    kind: step.kind,
    recipe: step.recipe,
    from_seq: step.fromSeq,
    to_seq: step.toSeq,
    covered_tokens: step.coveredTokens,
    covered_messages: step.coveredMessages,
    fingerprint: step.fingerprint,
    tokens,
    provider,
    model,
    last_said_at: new Date(lastSaidAt),
  }));
  await tx.execute(
    `INSERT INTO summaries (id, conversation_id, tier, position, level, kind, recipe, from_seq, to_seq, covered_tokens,
                            covered_messages, fingerprint, tokens, provider, model, last_said_at, created_at)
     SELECT r.id, $2, r.tier, r.position, r.level, r.kind, r.recipe, r.from_seq, r.to_seq, r.covered_tokens,
            r.covered_messages, r.fingerprint, r.tokens, r.provider, r.model, r.last_said_at, $3
       FROM json_to_recordset($1) AS r (id uuid, tier text, position integer, level text, kind text, recipe text,
              from_seq integer, to_seq integer, covered_tokens integer, covered_messages integer, fingerprint text,
              tokens integer, provider text, model text, last_said_at timestamptz)`,
    [JSON.stringify(rows), conversationId, new Date(now)],
  );
  const sentences = made.flatMap(({ id, sentences: told }) =>
    told.map(({ text, messageIds }, ordinal) => ({ summary_id: id, ordinal, content: text, message_ids: messageIds })),
  );
  await tx.execute(
    `INSERT INTO summary_sentences (summary_id, ordinal, conversation_id, content, message_ids)
     SELECT r.summary_id, r.ordinal, $2, r.content, r.message_ids
       FROM json_to_recordset($1) AS r (summary_id uuid, ordinal integer, content text, message_ids uuid[])`,
    [JSON.stringify(sentences), conversationId],
  );
  await dropSentencesHiddenMeanwhile(
    tx,
    made.map(({ id }) => id),
  );
  await deleteOldTombstones(tx, conversationId);
}

/** Of each chunk or group, and of the whole. */
const MAX_TOMBSTONES = 3;

/** A conversation that grows replaces its summaries again and again: only the newest tombstones can be restored. */
function deleteOldTombstones(tx: Tx, conversationId: string): Promise<number> {
  return tx.execute(
    `WITH old AS (
       SELECT t.id FROM (SELECT id, row_number() OVER (PARTITION BY tier, position ORDER BY tombstoned_at DESC, id DESC) AS n
                           FROM summaries WHERE conversation_id = $1 AND tombstoned_at IS NOT NULL) t
        WHERE t.n > ${MAX_TOMBSTONES}
     ), told AS (
       DELETE FROM summary_sentences s USING old WHERE s.summary_id = old.id
     )
     DELETE FROM summaries y USING old WHERE y.id = old.id`,
    [conversationId],
  );
}
