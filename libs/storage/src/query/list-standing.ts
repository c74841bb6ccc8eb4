import type { RecallCandidate } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { Binder } from './binder.js';
import { type MemoryRow, toMemory } from './hydrate.js';
import { memoryConditions, wantsMemories } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';

/** How much of which category stands for it, whatever is asked (SYS §5). */
export interface StandingShares {
  /** Most memories by category, in the order in which categories come. */
  readonly limits: ReadonlyMap<string, number>;
  /** Of a category that is not among them; these come last. */
  readonly otherLimit: number;
  /** Of all together. */
  readonly limit: number;
}

/**
 * What categories stand for without a question: category by category, the pinned, important and new first. All filters
 * of the search hold in SQL.
 */
export async function listStanding(
  tx: Tx,
  search: RecallSearch,
  { limits, otherLimit, limit }: StandingShares,
): Promise<RecallCandidate[]> {
  if (!wantsMemories(search)) return [];
  const { bind, values } = new Binder();
  const names = `${bind([...limits.keys()])}::text[]`;
  const most = `${bind([...limits.values()])}::integer[]`;
  const rows = await tx.query<MemoryRow>(
    `WITH ranked AS (
       SELECT m.id, array_position(${names}, m.category) AS place,
              row_number() OVER (PARTITION BY m.category ORDER BY m.pinned DESC, m.importance DESC, m.valid_from DESC, m.id)
                AS standing
         FROM memories m WHERE ${memoryConditions(search, bind)}
     ), chosen AS (
       SELECT id, place, standing FROM ranked
        WHERE standing <= coalesce((${most})[place], ${bind(otherLimit)}::integer)
        ORDER BY place NULLS LAST, standing LIMIT ${bind(limit)}
     )
     SELECT m.id, m.category, m.type, m.content, m.importance, m.confidence, m.pinned, m.valid_from, m.valid_to,
            m.superseded_by, m.recorded_at, NULL::integer AS unit, NULL::float8 AS cosine,
            s.said_at, s.message_ids, s.actor_id, s.thread_id
       FROM chosen c JOIN memories m ON m.id = c.id
      CROSS JOIN LATERAL (
        SELECT max(f.said_at) AS said_at, array_agg(f.message_id ORDER BY f.said_at, f.message_id) AS message_ids,
               (array_agg(f.actor_id ORDER BY f.said_at, f.message_id))[count(*)] AS actor_id,
               (array_agg(f.thread_id ORDER BY f.said_at, f.message_id))[count(*)] AS thread_id
          FROM memory_sources f WHERE f.memory_id = c.id) s
      ORDER BY c.place NULLS LAST, m.category, c.standing`,
    values,
  );
  return rows.map((row) => ({ ...toMemory(row, 0, search.now), lexicalCeiling: 0, relatedStrength: 0 }));
}
