/** Columns of `memory_embeddings`; each row sets one. */
export type VectorColumn = 'narrow' | 'wide';

/**
 * Maximum bytes of user id, model name and vector together that `memory_embeddings_by_user` can index: an index tuple
 * has 2 704 (BTMaxItemSize), of which tenant, memory, headers and padding use less than 100.
 */
export const MAX_INDEXED_VECTOR_BYTES = 2_600;
const BYTES_PER_DIMENSION = 2;

/**
 * The column in which a user's vectors of one model are stored: `narrow` in an index, where one user's are adjacent, or
 * `wide`, those too long for it, in the table. The migration assigns old rows by the same rule.
 */
export function vectorColumn(userId: string, model: string, dimensions: number): VectorColumn {
  const bytes = BYTES_PER_DIMENSION * dimensions + Buffer.byteLength(userId) + Buffer.byteLength(model);
  return bytes <= MAX_INDEXED_VECTOR_BYTES ? 'narrow' : 'wide';
}
