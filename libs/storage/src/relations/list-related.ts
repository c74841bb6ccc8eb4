import type { RelatedPage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity, RelationEntity } from '../entities/memory.entity.js';

type RelatedRow = Pick<MemoryEntity, 'id' | 'category' | 'type' | 'content'> &
  Pick<RelationEntity, 'relation_type' | 'strength'> & { edge_id: string; direction: 'out' | 'in'; linked_at: Date };

export interface RelatedQuery {
  readonly memoryId: string;
  /** Null: every category. */
  readonly categories: readonly string[] | null;
  /** Epoch ms: what ends later still holds. */
  readonly now: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Served memories that are linked to a memory in either direction, strongest link first. Throws InvalidCursorError. */
export async function listRelated(
  tx: Tx,
  { memoryId, categories, now, limit, cursor }: RelatedQuery,
): Promise<RelatedPage> {
  const after = parseCursor(cursor, ['number', 'uuid']);
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
        AND ($4::float8 IS NULL OR e.strength::text::float8 < $4
             OR (e.strength::text::float8 = $4 AND e.edge_id > $5::uuid))
      ORDER BY e.strength DESC, e.edge_id LIMIT $6`,
    [memoryId, new Date(now), categories, after?.[0] ?? null, after?.[1] ?? null, limit + 1],
  );
  return buildPage(
    rows,
    limit,
    ({ edge_id: _edge, linked_at, ...row }) => ({ ...row, linked_at: linked_at.toISOString() }),
    (row) => [row.strength, row.edge_id],
  );
}
