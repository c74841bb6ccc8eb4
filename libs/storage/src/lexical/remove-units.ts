import type { Tx } from '../database/transaction.js';

/** Units to be removed from the index. */
export interface UnitSelector {
  readonly userId: string;
  readonly memoryIds?: readonly string[];
  readonly messageIds?: readonly string[];
}

// Each entry has eight bytes, the first four of which are its unit, little-endian (encodeEntries).
const UNIT_OF_ENTRY = `(get_byte(p.entries, e.at) | (get_byte(p.entries, e.at + 1) << 8)
    | (get_byte(p.entries, e.at + 2) << 16) | (get_byte(p.entries, e.at + 3) << 24))`;

/**
 * Removes units and their postings from the index, in the transaction that deletes the memories and messages, so that
 * none of their words remain. Reads all postings of the user, since only they tell which words a unit has. The caller
 * holds the lock of the user's row. One statement; returns how many units were removed.
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
       RETURNING unit, former_unit, length, message_id
     ), numbers AS (
       -- While an index is rebuilt in steps, there are postings under the former number, too.
       SELECT unit FROM gone UNION ALL SELECT former_unit FROM gone WHERE former_unit IS NOT NULL
     ), touched AS MATERIALIZED (
       SELECT p.ctid AS place,
              string_agg(substring(p.entries FROM e.at + 1 FOR 8), ''::bytea ORDER BY e.at)
                FILTER (WHERE NOT e.is_gone) AS rest
         FROM lexical_postings p
        CROSS JOIN LATERAL (
          SELECT e.at, ${UNIT_OF_ENTRY} IN (SELECT unit FROM numbers) AS is_gone
            -- The planner estimates 10 rows for an array but 1 000 for generate_series, which would trigger JIT.
            FROM unnest(ARRAY (SELECT generate_series(0, length(p.entries) - 1, 8))) AS e (at)) e
        WHERE p.user_id = $1 AND EXISTS (SELECT FROM gone)
        GROUP BY p.ctid
       HAVING bool_or(e.is_gone)
     -- By ctid: the user's lock excludes other writers, and by key the planner would compare all rows with all.
     ), emptied AS (
       DELETE FROM lexical_postings p USING touched t WHERE p.ctid = t.place AND t.rest IS NULL
     ), shortened AS (
       UPDATE lexical_postings p SET entries = t.rest FROM touched t WHERE p.ctid = t.place AND t.rest IS NOT NULL
     ), counted AS (
       -- A memory left the statistics when it stopped being served.
       UPDATE users u SET turn_count = u.turn_count - t.count, turn_length = u.turn_length - t.length
         FROM (SELECT count(*) AS count, sum(length) AS length FROM gone WHERE message_id IS NOT NULL) t
        WHERE u.user_id = $1 AND t.count > 0
     )
     SELECT count(*)::integer AS removed FROM gone`,
    [userId, memoryIds, messageIds],
  );
  return { removed: row!.removed };
}
