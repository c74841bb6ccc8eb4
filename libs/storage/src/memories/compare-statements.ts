import { classifyStatements, type RequestedChanges, type StatementVectors, type StoredDecision } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import {
  findComparedNeighbours,
  linkToNeighbours,
  type NeighbourQuery,
  type NeighbourSearchResult,
} from './neighbours.js';

/**
 * How the new statements of a write are compared with the memories near them, as of the write. `link`: the statement of
 * the first change gets edges to them. `classify`: each statement may also be the same as one, or replace some.
 */
export type StatementComparison =
  | (Pick<NeighbourQuery, 'model' | 'vectors' | 'minCosine'> & { readonly kind: 'link' })
  | (StatementVectors & {
      readonly kind: 'classify';
      /** Decisions of models; they apply to memories that still have the revision that the model was shown. */
      readonly decisions: readonly StoredDecision[];
      /** Neighbours that were read before; they are read again when anything was written for the user since. */
      readonly neighbourhood: NeighbourSearchResult | null;
      /** When pairs are open: `add` their statements, or `refuse` to write, since a model is to decide first. */
      readonly openPairs: 'add' | 'refuse';
    });

/**
 * The changes and links to write; null when pairs are open and nothing is to be written. Runs under the user's lock:
 * `chainSeq` tells whether another transaction has written for the user since the neighbours were read. One round trip
 * when they have to be read.
 */
export async function compareStatements(
  tx: Tx,
  userId: string,
  { changes, links = [] }: Pick<RequestedChanges, 'changes'> & Partial<RequestedChanges>,
  comparison: StatementComparison | undefined,
  chainSeq: number,
): Promise<RequestedChanges | null> {
  if (!comparison || comparison.vectors.size === 0) return { changes, links };
  if (comparison.kind === 'link') {
    return { changes, links: [...links, ...(await linkToNeighbours(tx, { ...comparison, userId }))] };
  }
  const known = comparison.neighbourhood;
  const { neighbours } = known?.chainSeq === chainSeq ? known : await findComparedNeighbours(tx, userId, comparison);
  const classified = classifyStatements({ changes, links }, { ...comparison, neighbours });
  return classified.open.length > 0 && comparison.openPairs === 'refuse' ? null : classified;
}
