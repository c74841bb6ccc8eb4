import type { Neighbour, StatementVectors } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEmbeddingEntity, MemoryEntity } from '../entities/memory.entity.js';
import { type ContentEmbedding, insertEmbeddings } from './embeddings.js';
import { findComparedNeighbours, IS_CURRENT_SQL, type NeighbourSearchResult } from './neighbours.js';

/** The vector of a memory that was stored without one. */
export interface LateEmbedding extends ContentEmbedding {
  readonly memoryId: string;
  readonly content: string;
}

/** Vectors of the current ones among memories by content, and the memories near each. */
type LateNeighbourhood = Pick<StatementVectors, 'vectors'> & Pick<NeighbourSearchResult, 'neighbours' | 'nearest'>;

/**
 * Adds vectors to stored memories, except to those that were purged meanwhile, and reads the neighbours of the current
 * ones, which may be among each other. Runs under the user's lock.
 */
export async function addLateVectors(
  tx: Tx,
  userId: string,
  { model, bands, embeddings }: Pick<StatementVectors, 'model' | 'bands'> & { embeddings: readonly LateEmbedding[] },
): Promise<LateNeighbourhood> {
  const rows = await tx.query<Pick<MemoryEntity, 'id'> & { current: boolean }>(
    `SELECT m.id, ${IS_CURRENT_SQL} AS current FROM memories m WHERE m.id = ANY ($1)`,
    [embeddings.map(({ memoryId }) => memoryId)],
  );
  const isCurrentById = new Map(rows.map(({ id, current }) => [id, current]));
  const present = embeddings.filter(({ memoryId }) => isCurrentById.has(memoryId));
  if (present.length === 0) return { vectors: new Map(), neighbours: [], nearest: new Map() };
  const current = present.filter(({ memoryId }) => isCurrentById.get(memoryId));
  const vectors = new Map(current.map(({ content, vector }) => [content, vector]));
  const except = new Map(current.map(({ content, memoryId }) => [content, memoryId]));
  // In order: the memories are near each other, too.
  const [, , { neighbours, nearest }] = await allOf([
    insertEmbeddings(tx, userId, present),
    tx.execute('UPDATE users SET vector_seq = vector_seq + 1 WHERE user_id = $1', [userId]),
    findComparedNeighbours(tx, userId, { model, bands, vectors, except }),
  ]);
  return { vectors, neighbours: await markCompared(tx, model, neighbours, except), nearest };
}

/**
 * Marks the neighbours that have vectors of another model in common with the statement. The new model has its own scale,
 * and would otherwise merge memories of the whole store that have stood side by side. As it depends on nothing but the
 * pair, the order in which vectors come does not matter.
 */
async function markCompared(
  tx: Tx,
  model: string,
  neighbours: readonly Neighbour[],
  idOf: ReadonlyMap<string, string>,
): Promise<Neighbour[]> {
  const ids = new Set(neighbours.flatMap(({ statement, memoryId }) => [idOf.get(statement)!, memoryId]));
  if (ids.size === 0) return [];
  const rows = await tx.query<Pick<MemoryEmbeddingEntity, 'memory_id' | 'model'>>(
    'SELECT memory_id, model FROM memory_embeddings WHERE memory_id = ANY ($1) AND model <> $2',
    [[...ids], model],
  );
  const earlier = new Set(rows.map((row) => `${row.memory_id} ${row.model}`));
  return neighbours.map((neighbour) => {
    const others = rows.filter(({ memory_id: id }) => id === neighbour.memoryId);
    const own = idOf.get(neighbour.statement)!;
    return others.some((row) => earlier.has(`${own} ${row.model}`))
      ? { ...neighbour, comparedBefore: true }
      : neighbour;
  });
}
