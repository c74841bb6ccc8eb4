import type { Tx } from '../database/transaction.js';
import { askForSummaries } from './ask-for-summaries.js';

interface SentencePlace {
  readonly id: string;
  readonly ordinal: number;
}

/** SQL of the sentences `s` to be dropped: those that cite one of the messages in $1, and those at the places in $2. */
const DROPPED_SQL = `(s.message_ids && $1::uuid[] OR (s.summary_id, s.ordinal) IN (
       SELECT p.id, p.ordinal FROM json_to_recordset($2) AS p (id uuid, ordinal integer)))`;

interface DroppedSentences {
  readonly messageIds: readonly string[];
  /** Summary and place of sentences that go whatever they cite. */
  readonly sentences: readonly SentencePlace[];
}

const toParameters = ({ messageIds, sentences }: DroppedSentences) => [
  messageIds,
  JSON.stringify(sentences.map(({ id, ordinal }) => ({ id, ordinal }))),
];

/** How many sentences `dropSentences` would drop. */
export async function countSentences(tx: Tx, userId: string, dropped: DroppedSentences): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count
       FROM conversations c JOIN summary_sentences s ON s.tenant_id = c.tenant_id AND s.conversation_id = c.id
      WHERE c.user_id = $3 AND ${DROPPED_SQL}`,
    [...toParameters(dropped), userId],
  );
  return row!.count;
}

/**
 * Takes sentences out of all summaries and tombstones, moves the watermark of the conversations and asks for new
 * summaries. Returns how many sentences went.
 */
export async function dropSentences(
  tx: Tx,
  userId: string,
  dropped: DroppedSentences,
  request: Parameters<typeof askForSummaries>[2],
): Promise<number> {
  const rows = await tx.query<{ conversation_id: string; dropped: number }>(
    `WITH dropped AS (
       DELETE FROM summary_sentences s USING conversations c
        WHERE c.user_id = $3 AND s.tenant_id = c.tenant_id AND s.conversation_id = c.id AND ${DROPPED_SQL}
       RETURNING s.summary_id, s.conversation_id
     ), remade AS (
       UPDATE summaries y SET fingerprint = '' FROM (SELECT DISTINCT summary_id AS id FROM dropped) d WHERE y.id = d.id
     ), moved AS (
       UPDATE conversations SET deletions = deletions + 1
        WHERE id IN (SELECT m.conversation_id FROM messages m WHERE m.id = ANY ($1) UNION SELECT conversation_id FROM dropped)
     )
     SELECT conversation_id, count(*)::integer AS dropped FROM dropped GROUP BY conversation_id ORDER BY 1`,
    [...toParameters(dropped), userId],
  );
  await askForSummaries(
    tx,
    rows.map((row) => row.conversation_id),
    request,
  );
  return rows.reduce((sum, row) => sum + row.dropped, 0);
}
