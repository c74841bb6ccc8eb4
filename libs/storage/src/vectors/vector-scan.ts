import { halfvecLiteral } from './half-vectors.js';
import { vectorColumn, type VectorColumn } from './vector-column.js';

type Bind = (value: unknown) => string;

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
  bind: Bind,
  alias: string,
): { readonly points: string; readonly scan: VectorScan } {
  const texts = bind(vectors.map(halfvecLiteral));
  return {
    // OFFSET 0 keeps the planner from moving the conversion of a text into the scan, where it would run for every row.
    points: `(SELECT u.ordinal, u.text::halfvec AS point
                FROM unnest(${texts}::text[]) WITH ORDINALITY AS u (text, ordinal) OFFSET 0) ${alias}`,
    scan: {
      user: bind(userId),
      model: bind(model),
      point: `${alias}.point`,
      column: vectorColumn(userId, model, vectors[0]?.length ?? 0),
    },
  };
}
