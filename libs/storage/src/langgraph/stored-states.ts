import { applyDeltas, unpackBody } from '@annals/state-delta';
import { bodiesSql, splitBodies } from '../checkpoints/stored-bodies.js';
import type { Tx } from '../database/transaction.js';

const LENGTH_BYTES = 4;

/** The states of the rows `v` as one value, in their order: the length of each, then its body. */
export const STATES_SQL = bodiesSql('seq', 'int4send(v.bytes) || v.body');

/**
 * The state that the bodies result in, the whole one first. Throws when one makes another length than it was stored with:
 * the deltas of a login have not been checked, and a few bytes can make gigabytes.
 */
export function composeState(states: Buffer): Buffer {
  const [whole, ...deltas] = splitBodies(states).map((state) => ({
    bytes: state.readInt32BE(),
    body: state.subarray(LENGTH_BYTES),
  }));
  if (whole === undefined) throw new Error('A checkpoint has no whole state to apply its deltas to.');
  const first = unpackBody(whole.body);
  if (first.length !== whole.bytes) throw new RangeError('A stored state has another length than it was stored with.');
  return applyDeltas(
    first,
    deltas.map(({ body }) => unpackBody(body)),
    deltas.map(({ bytes }) => bytes),
  );
}

/** A state by the number of the whole one that it stands on and its own. */
export async function readState(tx: Tx, namespaceKey: string, wholeSeq: number, seq: number): Promise<Buffer> {
  const [row] = await tx.query<{ states: Buffer | null }>(
    `SELECT ${STATES_SQL} AS states FROM langgraph_checkpoints v
      WHERE v.namespace_key = $1 AND v.seq BETWEEN $2 AND $3`,
    [namespaceKey, wholeSeq, seq],
  );
  if (!row?.states) throw new Error('A namespace has no stored state.');
  return composeState(row.states);
}

/** Takes from checkpoints all but their states, on which later ones stand. */
export function hideCheckpoints(tx: Tx, namespaceKey: string, ids: readonly string[]): Promise<number> {
  return tx.execute(
    `UPDATE langgraph_checkpoints SET checkpoint_id = NULL, parent_id = NULL, metadata = '{}', replayed_channels = NULL
      WHERE namespace_key = $1 AND checkpoint_id = ANY ($2)`,
    [namespaceKey, ids],
  );
}
