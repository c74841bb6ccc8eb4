import { bodiesSql, composeBodies } from '../checkpoints/stored-bodies.js';
import type { Tx } from '../database/transaction.js';

/** A state by the number of the whole one that it stands on and its own. */
export async function readState(tx: Tx, namespaceKey: string, wholeSeq: number, seq: number): Promise<Buffer> {
  const [row] = await tx.query<{ bodies: Buffer | null }>(
    `SELECT ${bodiesSql('seq')} AS bodies FROM langgraph_checkpoints v
      WHERE v.namespace_key = $1 AND v.seq BETWEEN $2 AND $3`,
    [namespaceKey, wholeSeq, seq],
  );
  if (!row?.bodies) throw new Error('A namespace has no stored state.');
  return composeBodies(row.bodies);
}

/** Takes from checkpoints all but their states, on which later ones stand. */
export function hideCheckpoints(tx: Tx, namespaceKey: string, ids: readonly string[]): Promise<number> {
  return tx.execute(
    `UPDATE langgraph_checkpoints SET checkpoint_id = NULL, parent_id = NULL, metadata = '{}', replayed_channels = NULL
      WHERE namespace_key = $1 AND checkpoint_id = ANY ($2)`,
    [namespaceKey, ids],
  );
}
