import { applyDeltas, unpackBody } from '@annals/domain';

const LENGTH_BYTES = 4;

/**
 * The bodies of the versions aliased `v` as one value, each preceded by its length: a single row to read, for any
 * number of versions.
 */
export const BODIES_SQL = `string_agg(int4send(octet_length(v.body)) || v.body, ''::bytea ORDER BY v.version)`;

/** The state that the bodies result in, the full one first. */
export function composeBodies(bodies: Buffer): Buffer {
  const parts = splitBodies(bodies).map(unpackBody);
  const [whole, ...deltas] = parts;
  if (whole === undefined) throw new Error('A checkpoint has no full state to apply its deltas to.');
  return applyDeltas(whole, deltas);
}

function splitBodies(bodies: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bodies.length;) {
    const start = at + LENGTH_BYTES;
    at = start + bodies.readInt32BE(at);
    parts.push(bodies.subarray(start, at));
  }
  return parts;
}
