import { vectorLiteral } from '../memories/embedding-statements.js';

/** Many vectors as one item of a FROM clause. */
export interface BoundVectors {
  /** A sub-select with `ordinal` (from 1, in the order given) and the parts of each vector. */
  readonly from: string;
  /** SQL of each part: `VectorScan.parts` of a scan that is joined laterally. */
  readonly parts: readonly string[];
}

/** Binds one vector; what comes back is `VectorScan.parts`. `bind` takes a value and gives its parameter, `$1`. */
export function bindVector(vector: Float32Array, bind: (value: unknown) => string): string[] {
  return [`${bind(vectorLiteral(vector))}::vector`];
}

/** Binds vectors of one model, which have one length, under the name `alias`. */
export function bindVectors(
  vectors: readonly Float32Array[],
  bind: (value: unknown) => string,
  alias: string,
): BoundVectors {
  const texts = bind(vectors.map(vectorLiteral));
  // OFFSET 0 keeps the planner from moving the conversion of a text into the scan, where it would run for every row.
  return {
    from: `(SELECT u.ordinal, u.text::vector AS part_0
              FROM unnest(${texts}::text[]) WITH ORDINALITY AS u (text, ordinal) OFFSET 0) ${alias}`,
    parts: [`${alias}.part_0`],
  };
}
