import type { WritePlan } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { RelationEntity } from '../entities/memory.entity.js';

/** Inserts the relations of a plan, and returns those that were missing until now. One statement. */
export function insertLinks(
  tx: Tx,
  userId: string,
  links: WritePlan['links'],
  nextId: () => string,
  now: number,
): Promise<Pick<RelationEntity, 'from_id' | 'to_id' | 'relation_type' | 'strength'>[]> {
  return tx.query(
    `INSERT INTO relations (id, user_id, from_id, to_id, relation_type, strength, created_at)
     SELECT r.id, $2, r.from_id, r.to_id, r.relation_type, r.strength, $3
       FROM json_to_recordset($1) AS r (id uuid, from_id uuid, to_id uuid, relation_type text, strength real)
     RETURNING from_id, to_id, relation_type, strength`,
    [
      JSON.stringify(
        links.map(({ fromId, toId, relationType, strength }) => {
          return { id: nextId(), from_id: fromId, to_id: toId, relation_type: relationType, strength };
        }),
      ),
      userId,
      new Date(now),
    ],
  );
}
