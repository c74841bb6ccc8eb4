import type { Tx } from '../database/transaction.js';

/** What is to leave the index. */
export interface UnitSelector {
  readonly userId: string;
  readonly memoryIds?: readonly string[];
  readonly messageIds?: readonly string[];
}

// Bytes of an entry: its unit is the first four of eight, little-endian (encodeEntries).
const UNIT_OF_ENTRY = `(get_byte(p.entries, e.at) | (get_byte(p.entries, e.at + 1) << 8)
    | (get_byte(p.entries, e.at + 2) << 16) | (get_byte(p.entries, e.at + 3) << 24))`;

/**
 * Takes units and their postings out of the index, in the transaction that deletes what they stand for: no word of theirs
 * stays behind. Reads all postings of the user, since which words a unit had is known from them alone. The caller holds
 * the user's row. One statement; answers how many units there were.
 */
export async function removeUnits(
  tx: Tx,
  { userId, memoryIds = [], messageIds = [] }: UnitSelector,
): Promise<{ removed: number }> {
  if (memoryIds.length === 0 && messageIds.length === 0) return { removed: 0 };
  const [row] = await tx.query<{ removed: number }>(
    `WITH gone AS (
       DELETE FROM lexical_units
        WHERE user_id = $1 AND (memory_id = ANY ($2::uuid[]) OR message_id = ANY ($3::uuid[]))
       RETURNING unit, length, message_id
     ), touched AS MATERIALIZED (
       SELECT p.ctid AS place,
              string_agg(substring(p.entries FROM e.at + 1 FOR 8), ''::bytea ORDER BY e.at)
                FILTER (WHERE NOT e.is_gone) AS rest
         FROM lexical_postings p
        CROSS JOIN LATERAL (
          SELECT e.at, ${UNIT_OF_ENTRY} IN (SELECT unit FROM gone) AS is_gone
            -- An array is taken for 10 rows where generate_series is for 1 000, which would have the statement compiled.
            FROM unnest(ARRAY (SELECT generate_series(0, length(p.entries) - 1, 8))) AS e (at)) e
        WHERE p.user_id = $1 AND EXISTS (SELECT FROM gone)
        GROUP BY p.ctid
       HAVING bool_or(e.is_gone)
     -- By their places: nobody else writes them, and by their keys the planner would compare all with all.
     ), emptied AS (
       DELETE FROM lexical_postings p USING touched t WHERE p.ctid = t.place AND t.rest IS NULL
     ), shortened AS (
       UPDATE lexical_postings p SET entries = t.rest FROM touched t WHERE p.ctid = t.place AND t.rest IS NOT NULL
     ), counted AS (
       -- A memory is out of its statistics since it is not served any more.
       UPDATE users u SET turn_count = u.turn_count - t.count, turn_length = u.turn_length - t.length
         FROM (SELECT count(*) AS count, sum(length) AS length FROM gone WHERE message_id IS NOT NULL) t
        WHERE u.user_id = $1 AND t.count > 0
     )
     SELECT count(*)::integer AS removed FROM gone`,
    [userId, memoryIds, messageIds],
  );
  return { removed: row!.removed };
}
