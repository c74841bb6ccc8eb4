import type { WritePlan } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/** Inserts the relations of a plan. One statement. */
export function insertLinks(
  tx: Tx,
  userId: string,
  links: WritePlan['links'],
  nextId: () => string,
  now: number,
): Promise<unknown> {
  const rows = links.map(({ fromId, toId, relationType, strength }) => {
    return { id: nextId(), from_id: fromId, to_id: toId, relation_type: relationType, strength };
  });
  return tx.each(INSERT_LINKS, { rows, user_id: userId, created_at: new Date(now) });
}

const INSERT_LINKS = defineSet<{ rows: readonly object[]; user_id: string; created_at: Date }>(
  'rows json, user_id text, created_at timestamptz',
  `INSERT INTO relations (id, user_id, from_id, to_id, relation_type, strength, created_at)
   SELECT r.id, given.user_id, r.from_id, r.to_id, r.relation_type, r.strength, given.created_at
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (id uuid, from_id uuid, to_id uuid, relation_type text, strength real)`,
);
