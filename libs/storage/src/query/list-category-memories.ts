import type { Tx } from '../database/transaction.js';
import { Binder } from './binder.js';
import { includesMemories, isOwnOrGlobalSql, memoryConditions } from './memory-conditions.js';
import { candidateColumns, type CandidateRow, sourcesSql, toMemory } from './candidate-row.js';
import type { CandidateSearchResult, RecallSearch } from './recall-search.js';

/**
 * Limits per category of the memories that are returned without a query
 * (docs/reference/categories-and-agents.md#context-modes).
 */
export interface CategoryLimits {
  /** Maximum memories by category, in the order of the categories in the result. */
  readonly limits: ReadonlyMap<string, number>;
  /** Maximum of each category that is not in `limits`; these come last. */
  readonly otherLimit: number;
  /** Maximum of all together. */
  readonly limit: number;
}

/**
 * Memories of categories without a query, the user's and global ones: category by category, pinned, important and new
 * ones first. All filters of the search are applied in SQL.
 */
export async function listCategoryMemories(
  tx: Tx,
  search: RecallSearch,
  { limits, otherLimit, limit }: CategoryLimits,
): Promise<Pick<CandidateSearchResult, 'candidates' | 'sources'>> {
  if (!includesMemories(search)) return { candidates: [], sources: new Map() };
  const { bind, values } = new Binder();
  const names = `${bind([...limits.keys()])}::text[]`;
  const maxima = `${bind([...limits.values()])}::integer[]`;
  const rows = await tx.query<CandidateRow>(
    `WITH ranked AS (
       SELECT m.id, array_position(${names}, m.category) AS category_rank,
              row_number() OVER (PARTITION BY m.category ORDER BY m.pinned DESC, m.importance DESC, m.valid_from DESC, m.id)
                AS rank_in_category
         FROM memories m WHERE ${memoryConditions(search, bind, isOwnOrGlobalSql(search, bind))}
     ), chosen AS (
       SELECT id, category_rank, rank_in_category FROM ranked
        WHERE rank_in_category <= coalesce((${maxima})[category_rank], ${bind(otherLimit)}::integer)
        ORDER BY category_rank NULLS LAST, rank_in_category LIMIT ${bind(limit)}
     )
     SELECT ${candidateColumns(search, bind)}, ${sourcesSql('c.id')} AS sources
       FROM chosen c JOIN memories m ON m.id = c.id
      ORDER BY c.category_rank NULLS LAST, m.category, c.rank_in_category`,
    values,
  );
  const units = rows.map((row) => toMemory(row, { cosine: null, lexical: 0 }, search.now));
  return {
    candidates: units.map((unit) => ({ ...unit, lexicalCeiling: 0, relatedStrength: 0 })),
    sources: new Map(units.map(({ id, sources }) => [id, sources])),
  };
}
