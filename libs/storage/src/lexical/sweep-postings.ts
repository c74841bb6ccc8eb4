import type { Tx } from '../database/transaction.js';
import type { LexicalPostingEntity } from '../entities/lexical-index.entity.js';

/** Where a sweep goes on. Kept by the process only, since it is a word of the user: a new sweep reads what is left once more. */
export type SweepPosition = Readonly<Pick<LexicalPostingEntity, 'kind' | 'term'>>;

/**
 * Removes up to `limit` segments that were written before a rebuild began, in the order of their key: all with a number below
 * `below`. Null: none is left. The caller holds the lock of the user's row, and no unit has a number below `below` any more.
 */
export async function sweepPostings(
  tx: Tx,
  userId: string,
  { below, from, limit }: { readonly below: number; readonly from: SweepPosition | null; readonly limit: number },
): Promise<SweepPosition | null> {
  const [last] = await tx.query<SweepPosition & { removed: number }>(
    `WITH former AS MATERIALIZED (
       SELECT p.ctid AS place, p.kind, p.term FROM lexical_postings p
        WHERE p.user_id = $1 AND p.segment < $2 AND (p.kind, p.term) >= ($3, $4)
        ORDER BY p.kind, p.term, p.segment LIMIT ${Math.trunc(limit)}
     ), removed AS (
       -- By ctid: the user's lock excludes other writers.
       DELETE FROM lexical_postings p USING former f WHERE p.ctid = f.place
     )
     SELECT f.kind, f.term, count(*) OVER ()::integer AS removed FROM former f
      ORDER BY f.kind DESC, f.term DESC LIMIT 1`,
    [userId, below, from?.kind ?? '', from?.term ?? ''],
  );
  return last === undefined || last.removed < limit ? null : { kind: last.kind, term: last.term };
}
