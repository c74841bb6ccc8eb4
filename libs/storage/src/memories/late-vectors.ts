import type { StatementVectors } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { type ContentEmbedding, insertEmbeddings } from './embeddings.js';
import { IS_CURRENT_SQL } from './is-current.js';
import { findComparedNeighbours, type NeighbourSearchResult } from './neighbours.js';

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
  // In order: the memories are near each other, too. The new model has its own scale, and would merge memories of the whole
  // store that have stood side by side under another one, so those are marked, by the vectors of the pair alone: the order
  // in which vectors come does not matter.
  const [, , { neighbours, nearest }] = await allOf([
    insertEmbeddings(tx, userId, present),
    tx.execute('UPDATE users SET vector_seq = vector_seq + 1 WHERE user_id = $1', [userId]),
    findComparedNeighbours(tx, userId, { model, bands, vectors, except, marksCompared: true }),
  ]);
  return { vectors, neighbours, nearest };
}
