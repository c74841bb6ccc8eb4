import { dropFormerUnits, type PostingList, type RecallKind } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { LexicalPostingEntity } from '../entities/lexical-index.entity.js';

/** The postings of these terms. While an index is rebuilt in steps, those of units that have new numbers are left out. */
export async function readPostings(
  tx: Tx,
  userId: string,
  { kinds, terms }: { readonly kinds: readonly RecallKind[]; readonly terms: readonly string[] },
): Promise<PostingList[]> {
  const rows = await tx.query<Pick<LexicalPostingEntity, 'kind' | 'term' | 'entries'> & { first_unit: number | null }>(
    `SELECT kind, term, string_agg(entries, ''::bytea) AS entries,
            (SELECT (SELECT min(l.unit) FROM lexical_units l WHERE l.user_id = $1)
               FROM users u WHERE u.user_id = $1 AND u.reindex_below IS NOT NULL) AS first_unit
       FROM lexical_postings
      WHERE user_id = $1 AND kind = ANY ($2) AND term = ANY ($3) GROUP BY kind, term`,
    [userId, kinds, terms],
  );
  return rows.map(({ kind, term, entries, first_unit: firstUnit }) => ({
    kind,
    term,
    entries: firstUnit === null ? entries : dropFormerUnits(entries, firstUnit),
  }));
}
