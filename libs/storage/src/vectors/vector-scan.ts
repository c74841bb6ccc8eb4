import type { Bind } from '../query/binder.js';
import { halfvecLiteral } from './half-vectors.js';

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

/** One user's vectors under one model, relative to a point. All fields but the column are SQL. */
export interface VectorScan {
  readonly user: string;
  readonly model: string;
  readonly point: string;
  readonly column: VectorColumn;
}

interface Scope {
  readonly userId: string;
  readonly model: string;
}

/** The scan from one vector; `bind` takes a value and returns its placeholder, `$1`. */
export function scanFrom({ userId, model, vector }: Scope & { readonly vector: Float32Array }, bind: Bind): VectorScan {
  return {
    user: bind(userId),
    model: bind(model),
    point: `${bind(halfvecLiteral(vector))}::halfvec`,
    column: vectorColumn(userId, model, vector.length),
  };
}

/**
 * Scans from many vectors of one length in one statement: `FROM <points> CROSS JOIN LATERAL (<SQL of the scan>)`. Each
 * point is a row of `alias`, with its `ordinal` (from 1, in the order given).
 */
export function scanFromEach(
  { userId, model, vectors }: Scope & { readonly vectors: readonly Float32Array[] },
  bind: (value: unknown, type: string) => string,
  alias: string,
): { readonly points: string; readonly scan: VectorScan } {
  const texts = bind(vectors.map(halfvecLiteral), 'text[]');
  return {
    // OFFSET 0 keeps the planner from moving the conversion of a text into the scan, where it would run for every row.
    points: `(SELECT u.ordinal, u.text::halfvec AS point
                FROM unnest(${texts}::text[]) WITH ORDINALITY AS u (text, ordinal) OFFSET 0) ${alias}`,
    scan: {
      user: bind(userId, 'text'),
      model: bind(model, 'text'),
      point: `${alias}.point`,
      column: vectorColumn(userId, model, vectors[0]?.length ?? 0),
    },
  };
}
