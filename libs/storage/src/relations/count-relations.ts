import type { Tx } from '../database/transaction.js';

/** How many relations begin or end at one of these memories. */
export async function countRelations(tx: Tx, memoryIds: readonly string[]): Promise<number> {
  if (memoryIds.length === 0) return 0;
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT r.id FROM relations r WHERE r.from_id = ANY ($1)
       UNION
       SELECT r.id FROM relations r WHERE r.to_id = ANY ($1)) r`,
    [memoryIds],
  );
  return row!.count;
}
