import { halfvecBytes, readHalfvec, type VectorScan, vectorOfSql } from '../vectors/index.js';
import { ID_BYTES, readUuid } from './packed-ids.js';

/**
 * SQL of an aggregate over memories, whose id is the SQL `memoryId`: their vectors as one value of two bytes a component.
 * As text in JSON they would be four times as long.
 */
export const packVectorsSql = (scan: Pick<VectorScan, 'user' | 'model'>, memoryId: string) =>
  `string_agg(uuid_send(${memoryId}) || halfvec_send(${vectorOfSql(scan, memoryId)}), ''::bytea)`;

/** Vectors at unit length by memory id; those without one are missing. */
export function unpackVectors(packed: Buffer | null): ReadonlyMap<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  let rest = packed ?? Buffer.alloc(0);
  while (rest.length > 0) {
    const vector = readHalfvec(rest.subarray(ID_BYTES));
    vectors.set(readUuid(rest, 0), vector);
    rest = rest.subarray(ID_BYTES + halfvecBytes(vector.length));
  }
  return vectors;
}
