import type { MemoryType } from '@annals/contracts';
import type { Nullable, Tx } from '../database/transaction.js';
import type { MemorySourceEntity } from '../entities/memory-source.entity.js';
import type { MemoryEntity, RelationEntity } from '../entities/memory.entity.js';
import { Binder } from '../query/binder.js';
import { memoryConditions, includesMemories } from '../query/memory-conditions.js';
import type { RecallSearch } from '../query/recall-search.js';

/** A memory that is linked to a result. */
export interface LinkedMemory {
  readonly id: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly validFrom: Date;
  readonly saidAt: Date;
  /** Id of the result, and the link between both. */
  readonly relatedTo: string;
  readonly relationType: string;
  readonly strength: number;
}

type LinkedRow = Pick<MemoryEntity, 'id' | 'category' | 'type' | 'content' | 'valid_from'> &
  Nullable<Pick<MemorySourceEntity, 'said_at'>> &
  Pick<RelationEntity, 'relation_type' | 'strength'> & { related_to: string };

/**
 * Memories one link away from `answers`, in either direction and not among them, strongest link first; all filters
 * apply.
 */
export async function findLinked(
  tx: Tx,
  search: RecallSearch,
  answers: readonly string[],
  limit: number,
): Promise<LinkedMemory[]> {
  if (answers.length === 0 || !includesMemories(search)) return [];
  const { bind, values } = new Binder();
  const ids = `${bind(answers)}::uuid[]`;
  const rows = await tx.query<LinkedRow>(
    `WITH edge AS MATERIALIZED (
       SELECT r.to_id AS id, r.from_id AS related_to, r.relation_type, r.strength
         FROM relations r WHERE r.from_id = ANY (${ids}) AND r.to_id <> ALL (${ids})
       UNION ALL
       SELECT r.from_id, r.to_id, r.relation_type, r.strength
         FROM relations r WHERE r.to_id = ANY (${ids}) AND r.from_id <> ALL (${ids})
     ), best AS (
       SELECT DISTINCT ON (id) * FROM edge ORDER BY id, strength DESC, related_to, relation_type
     )
     SELECT m.*, b.related_to, b.relation_type, b.strength,
            (SELECT max(s.said_at) FROM memory_sources s WHERE s.memory_id = m.id) AS said_at
       FROM best b CROSS JOIN LATERAL (
         SELECT m.id, m.category, m.type, m.content, m.valid_from
           FROM memories m WHERE m.id = b.id AND ${memoryConditions(search, bind)} OFFSET 0) m
      ORDER BY b.strength DESC, m.id LIMIT ${bind(limit)}`,
    values,
  );
  return rows.map((row) => ({
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    validFrom: row.valid_from,
    saidAt: row.said_at ?? row.valid_from,
    relatedTo: row.related_to,
    relationType: row.relation_type,
    strength: row.strength,
  }));
}
