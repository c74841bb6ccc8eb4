import {
  classifyStatements,
  MAX_EDGES,
  type RequestedChanges,
  type SimilarityCheck,
  type StatementVectors,
  type StoredDecision,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import {
  findComparedNeighbours,
  findNeighbours,
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

interface ComparedChanges extends RequestedChanges {
  /** Null when nothing was compared. */
  readonly similarity: SimilarityCheck | null;
}

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
): Promise<ComparedChanges | null> {
  if (!comparison || comparison.vectors.size === 0) return { changes, links, similarity: null };
  if (comparison.kind === 'link') {
    const near = await findNeighbours(tx, { ...comparison, userId, limit: MAX_EDGES });
    return { changes, links: [...links, ...linkToNeighbours(near)], similarity: toSimilarity(near) };
  }
  const known = comparison.neighbourhood;
  const near = known?.chainSeq === chainSeq ? known : await findComparedNeighbours(tx, userId, comparison);
  const { open, ...classified } = classifyStatements({ changes, links }, { ...comparison, ...near });
  if (open.length > 0 && comparison.openPairs === 'refuse') return null;
  return { ...classified, similarity: toSimilarity(near) };
}

function toSimilarity({ nearest, neighbours }: NeighbourSearchResult): SimilarityCheck {
  return { nearest, found: neighbours.length > 0 };
}
