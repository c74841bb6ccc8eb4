import {
  classifyStatements,
  MAX_EDGES,
  type MemoryChange,
  type RequestedChanges,
  type SimilarityCheck,
  type StatementVectors,
  type StoredDecision,
} from '@annals/domain';
import type { LockedUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { addLateVectors, type LateEmbedding } from './late-vectors.js';
import { linkReturning } from './link-returning.js';
import {
  findComparedNeighbours,
  findNeighbours,
  isAsOfNow,
  linkToNeighbours,
  type NeighbourQuery,
  type NeighbourSearchResult,
} from './neighbours.js';

/**
 * How the statements of a write are compared with the memories near them, as of the write. `link`: the statement of the
 * first change, or the memory that it makes current again, gets edges to them. `classify`: each new statement may also
 * be the same as one, or replace some. `late`: the same for stored memories, whose vectors are added first.
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
    })
  | (Pick<StatementVectors, 'model' | 'bands'> & {
      readonly kind: 'late';
      /** Whether all of them stay memories of their own, however near they are. */
      readonly mergesNone: boolean;
      readonly embeddings: readonly LateEmbedding[];
    });

interface ComparedChanges extends RequestedChanges {
  /** Null when nothing was compared. */
  readonly similarity: SimilarityCheck | null;
}

/**
 * The changes and links to write; null when pairs are open and nothing is to be written. Runs under the user's lock,
 * which tells whether another transaction has written for the user since the neighbours were read. One round trip when
 * they have to be read.
 */
export async function compareStatements(
  tx: Tx,
  userId: string,
  { changes, links = [] }: Pick<RequestedChanges, 'changes'> & Partial<RequestedChanges>,
  comparison: StatementComparison | undefined,
  user: LockedUser,
): Promise<ComparedChanges | null> {
  if (!comparison) return { changes, links, similarity: null };
  if (comparison.kind === 'late') {
    const added = await addLateVectors(tx, userId, comparison);
    const neighbours = comparison.mergesNone
      ? added.neighbours.map((neighbour) => ({ ...neighbour, comparedBefore: true }))
      : added.neighbours;
    const late = { ...added, neighbours };
    // Pairs that only a model can decide about stay two memories, as without a model.
    const { open: _open, ...classified } = classifyStatements(
      { changes, links },
      { ...comparison, ...late, decisions: [] },
    );
    return { ...classified, similarity: late.vectors.size === 0 ? null : toSimilarity(late) };
  }
  if (comparison.kind === 'link') {
    const query = { ...comparison, userId };
    if (comparison.vectors.size === 0) {
      return { changes, links: [...links, ...(await linkReturning(tx, query, changes[0]))], similarity: null };
    }
    const near = await findNeighbours(tx, { ...query, limit: MAX_EDGES, except: findReplaced(changes[0]) });
    return { changes, links: [...links, ...linkToNeighbours(near)], similarity: toSimilarity(near) };
  }
  if (comparison.vectors.size === 0) return { changes, links, similarity: null };
  const known = comparison.neighbourhood;
  const near = known && isAsOfNow(known, user) ? known : await findComparedNeighbours(tx, userId, comparison);
  const { open, ...classified } = classifyStatements({ changes, links }, { ...comparison, ...near });
  if (open.length > 0 && comparison.openPairs === 'refuse') return null;
  return { ...classified, similarity: toSimilarity(near) };
}

/** The replaced version of a statement is not near it, but the same memory. */
function findReplaced(change: MemoryChange | undefined): ReadonlyMap<string, string> {
  return new Map(change?.kind === 'supersede' ? [[change.memory.content, change.memoryId]] : []);
}

function toSimilarity({ nearest, neighbours }: Pick<NeighbourSearchResult, 'nearest' | 'neighbours'>): SimilarityCheck {
  return { nearest, found: neighbours.length > 0 };
}
