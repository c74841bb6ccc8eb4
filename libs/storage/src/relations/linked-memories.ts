import type { MemoryScope, RelatedPage } from '@annals/contracts';
import { removeHidden, scopeOfOwner } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Nullable, Tx } from '../database/transaction.js';
import type { MemorySourceEntity, MemoryEntity, RelationEntity } from '../entities/memory.entity.js';
import { type InsightView, isServedInsightSql } from '../insights/insight-view.js';
import { Binder } from '../query/binder.js';
import { includesMemories, isOwnOrGlobalSql, memoryConditions } from '../query/memory-conditions.js';
import type { RecallSearch } from '../query/recall-search.js';

/** A memory that is linked to a result. */
export interface LinkedMemory extends Readonly<Pick<MemoryEntity, 'id' | 'category' | 'type' | 'content'>> {
  readonly scope: MemoryScope;
  readonly validFrom: Date;
  readonly saidAt: Date;
  /** Id of the result, and the link between both. */
  readonly relatedTo: string;
  readonly relationType: string;
  readonly strength: number;
}

type LinkedRow = Pick<MemoryEntity, 'id' | 'user_id' | 'category' | 'type' | 'content' | 'valid_from'> &
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
         SELECT m.id, m.user_id, m.category, m.type, m.content, m.valid_from
           FROM memories m WHERE m.id = b.id AND ${memoryConditions(search, bind, isOwnOrGlobalSql(search, bind))} OFFSET 0) m
      ORDER BY b.strength DESC, m.id LIMIT ${bind(limit)}`,
    values,
  );
  return rows.map((linked) => {
    const {
      user_id,
      valid_from: validFrom,
      said_at,
      related_to: relatedTo,
      relation_type: relationType,
      ...row
    } = linked;
    return { ...row, scope: scopeOfOwner(user_id), validFrom, saidAt: said_at ?? validFrom, relatedTo, relationType };
  });
}

type RelatedRow = Pick<MemoryEntity, 'id' | 'category' | 'type' | 'content'> &
  Pick<RelationEntity, 'relation_type' | 'strength'> & { edge_id: string; direction: 'out' | 'in'; linked_at: Date };

export interface RelatedQuery {
  readonly memoryId: string;
  /** Null: every category. */
  readonly categories: readonly string[] | null;
  /** Which insights the caller may see. */
  readonly insights: InsightView;
  /** Epoch ms: what ends later still holds. */
  readonly now: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Served memories that are linked to a memory in either direction, strongest link first. Throws InvalidCursorError. */
export async function listRelated(
  tx: Tx,
  { memoryId, categories, insights, now, limit, cursor }: RelatedQuery,
): Promise<RelatedPage> {
  const after = parseCursor(cursor, ['number', 'uuid']);
  const values: unknown[] = [memoryId, new Date(now), categories, after?.[0] ?? null, after?.[1] ?? null, limit + 1];
  const rows = await tx.query<RelatedRow>(
    `SELECT e.edge_id, m.id, m.category, m.type, m.content, e.relation_type, e.strength, e.direction, e.linked_at
       FROM (SELECT id AS edge_id, to_id AS other_id, relation_type, strength, 'out' AS direction, created_at AS linked_at
               FROM relations WHERE from_id = $1
             UNION ALL
             SELECT id, from_id, relation_type, strength, 'in', created_at FROM relations WHERE to_id = $1) e
       JOIN memories m ON m.id = e.other_id
      WHERE m.state = 'active' AND m.superseded_by IS NULL AND (m.valid_to IS NULL OR m.valid_to > $2)
        AND m.user_id = (SELECT user_id FROM memories WHERE id = $1)
        AND ($3::text[] IS NULL OR m.category = ANY ($3))
        AND ${isServedInsightSql('m', insights, (value) => `$${values.push(value)}`)}
        AND ($4::float8 IS NULL OR e.strength::text::float8 < $4
             OR (e.strength::text::float8 = $4 AND e.edge_id > $5::uuid))
      ORDER BY e.strength DESC, e.edge_id LIMIT $6`,
    values,
  );
  return buildPage(
    rows,
    limit,
    ({ edge_id: _edge, linked_at, content, ...row }) => ({
      ...row,
      content: removeHidden(content),
      linked_at: linked_at.toISOString(),
    }),
    (row) => [row.strength, row.edge_id],
  );
}
