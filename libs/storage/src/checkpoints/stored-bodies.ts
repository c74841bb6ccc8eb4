import { applyDeltas, unpackBody } from '@annals/state-delta';

const LENGTH_BYTES = 4;

/**
 * The bodies of the rows `v` as one value, in the order of a column, each preceded by its length: one row, for any number
 * of versions. `body`: SQL of what is taken of each.
 */
export function bodiesSql(order: string, body = 'v.body'): string {
  return `string_agg(int4send(octet_length(${body})) || ${body}, ''::bytea ORDER BY v.${order})`;
}

/** The state that the bodies result in, the full one first. */
export function composeBodies(bodies: Buffer): Buffer {
  const parts = splitBodies(bodies).map(unpackBody);
  const [whole, ...deltas] = parts;
  if (whole === undefined) throw new Error('A checkpoint has no full state to apply its deltas to.');
  return applyDeltas(whole, deltas);
}

/** What `bodiesSql` put into one value. */
export function splitBodies(bodies: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bodies.length;) {
    const start = at + LENGTH_BYTES;
    at = start + bodies.readInt32BE(at);
    parts.push(bodies.subarray(start, at));
  }
  return parts;
}
