import { MAX_EDGES, type MemoryChange, type PlannedLink } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { readHalfvec } from '../vectors/index.js';
import { IS_CURRENT_SQL } from './is-current.js';
import { edgeTo, findNeighbours, type NeighbourQuery } from './neighbours.js';

/**
 * Edges of memories that a restoration or an undo makes current again, to the memories near them: what was written in
 * the meantime was not compared with them. Two round trips.
 */
export async function linkReturning(
  tx: Tx,
  { userId, model, minCosine }: Pick<NeighbourQuery, 'userId' | 'model' | 'minCosine'>,
  change: MemoryChange | undefined,
): Promise<PlannedLink[]> {
  if (change?.kind !== 'restore' && change?.kind !== 'undo') return [];
  const returning = await tx.query<Pick<MemoryEntity, 'id' | 'content'> & { vector: Buffer }>(
    `SELECT m.id, m.content, halfvec_send(coalesce(e.narrow, e.wide)) AS vector
       FROM memories m JOIN memory_embeddings e ON e.memory_id = m.id AND e.model = $3
      WHERE m.user_id = $1 AND (m.id = $2 OR m.superseded_by = $2)
        AND NOT (${IS_CURRENT_SQL})`,
    [userId, change.memoryId, model],
  );
  const vectors = new Map(returning.map(({ content, vector }) => [content, readHalfvec(vector)]));
  if (vectors.size === 0) return [];
  const { neighbours } = await findNeighbours(tx, { userId, model, vectors, limit: MAX_EDGES, minCosine });
  return returning.flatMap(({ id, content }) =>
    neighbours
      .filter(({ statement }) => statement === content)
      .map((neighbour) => ({ fromMemoryId: id, ...edgeTo(neighbour) })),
  );
}
