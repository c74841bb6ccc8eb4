import type { Tx } from '../database/transaction.js';
import { type Bind, Binder } from '../query/binder.js';
import { halfvecLiteral } from '../vectors/index.js';
import { conditionsSql, FULFILS_CONDITIONS_SQL, type ItemCondition } from './item-filter.js';
import { rangeOf } from './item-place.js';
import {
  type FoundItem,
  isLiveSql,
  itemColumnsSql,
  type ItemRow,
  type ReadItems,
  type ReadScope,
  summarize,
  toStoredItem,
} from './item-rows.js';
import { separateWords } from './item-words.js';

/** The vector of a query, and the least cosine that still counts; null for any. */
export interface VectorQuery {
  readonly model: string;
  readonly vector: Float32Array;
  readonly minCosine: number | null;
}

/** What items are ranked by; without words and vector by their age, the newest first. */
export interface ItemRanking {
  readonly words: string | null;
  readonly vector: VectorQuery | null;
  /** Of the vector, with both: the words have the rest to 1. */
  readonly vectorWeight: number;
}

export interface ItemSearch {
  /** Labels with which the namespace begins. */
  readonly prefix: readonly string[];
  readonly conditions: readonly ItemCondition[];
  readonly ranking: ItemRanking;
  readonly limit: number;
  readonly offset: number;
}

/** Items by namespace, conditions and ranking. One statement, whose text depends on the ranking alone. */
export async function searchItems(
  tx: Tx,
  { userId, now, maxBytes }: ReadScope,
  { prefix, conditions, ranking, limit, offset }: ItemSearch,
): Promise<ReadItems<FoundItem>> {
  const { bind, values } = new Binder();
  const user = bind(userId);
  const range = rangeOf(prefix);
  const inRange = range ? `AND i.path >= ${bind(range.from)} AND i.path < ${bind(range.to)}` : '';
  const { ctes, found, order } = rankSql(ranking, user, bind);
  const rows = await tx.query<ItemRow & { score: number | null }>(
    `WITH ${conditionsSql(bind(JSON.stringify(conditions)))},
     fitting AS MATERIALIZED (
       SELECT i.item_id, i.created_at, i.words FROM langgraph_items i
        WHERE i.user_id = ${user} AND ${isLiveSql(bind(new Date(now)))} ${inRange} AND ${FULFILS_CONDITIONS_SQL}),
     ${ctes}
     page AS (
       SELECT f.item_id, f.score, row_number() OVER (ORDER BY ${order}) AS place FROM (${found}) f
        ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT p.score, ${itemColumnsSql('p.place', bind(maxBytes))}
       FROM page p JOIN langgraph_items i ON i.item_id = p.item_id ORDER BY p.place`,
    values,
  );
  return { items: rows.map((row) => ({ ...toStoredItem(row), score: row.score })), ...summarize(rows) };
}

interface RankSql {
  /** Further CTEs, each with a comma behind it. */
  readonly ctes: string;
  /** SELECT of `item_id`, `created_at` and `score` of what is found. */
  readonly found: string;
  readonly order: string;
}

const BEST_FIRST = 'f.score DESC, f.created_at DESC, f.item_id DESC';

function rankSql({ words, vector, vectorWeight }: ItemRanking, user: string, bind: Bind): RankSql {
  if (words !== null && vector !== null) return rankByBothSql({ words, vector, vectorWeight }, user, bind);
  if (words !== null) {
    const found = `SELECT t.item_id, t.created_at, t.rank AS score FROM ranked t WHERE t.rank > 0`;
    return { ctes: wordsSql(words, bind), found, order: BEST_FIRST };
  }
  if (vector !== null) {
    const found = `SELECT f.item_id, f.created_at, c.cosine AS score
                     FROM fitting f JOIN cosines c ON c.item_id = f.item_id WHERE ${isNearSql(vector, bind)}`;
    return { ctes: cosinesSql(vector, user, bind), found, order: BEST_FIRST };
  }
  const found = 'SELECT f.item_id, f.created_at, NULL::double precision AS score FROM fitting f';
  return { ctes: '', found, order: 'f.created_at DESC, f.item_id DESC' };
}

/** Words count relative to the item that they fit best, since a rank has no scale of its own. */
function rankByBothSql(
  { words, vector, vectorWeight }: ItemRanking & { words: string; vector: VectorQuery },
  user: string,
  bind: Bind,
): RankSql {
  const weight = `${bind(vectorWeight)}::double precision`;
  return {
    ctes: wordsSql(words, bind) + cosinesSql(vector, user, bind),
    found: `SELECT t.item_id, t.created_at,
                   ${weight} * coalesce(c.cosine, 0)
                     + (1 - ${weight}) * coalesce(t.rank / nullif(max(t.rank) OVER (), 0), 0) AS score
              FROM ranked t LEFT JOIN cosines c ON c.item_id = t.item_id WHERE t.rank > 0 OR ${isNearSql(vector, bind)}`,
    order: BEST_FIRST,
  };
}

// Any of the words: a question has words that no answer has. A word has no spaces, so the operators between them are the
// only texts of this form.
const wordsSql = (words: string, bind: Bind) => `
  asked AS MATERIALIZED (
    SELECT replace(plainto_tsquery('simple', ${bind(separateWords(words))})::text, ' & ', ' | ')::tsquery AS query),
  ranked AS (
    SELECT f.item_id, f.created_at,
           CASE WHEN f.words @@ a.query THEN ts_rank(f.words, a.query)::double precision ELSE 0 END AS rank
      FROM fitting f CROSS JOIN asked a),`;

// Vectors are at unit length, so the inner product equals the cosine. Of an item with several, the nearest counts.
function cosinesSql({ model, vector }: VectorQuery, user: string, bind: Bind): string {
  const point = bind(halfvecLiteral(vector));
  return `
  asked_vector AS MATERIALIZED (SELECT ${point}::halfvec AS point),
  cosines AS (
    SELECT v.item_id, max(-(v.vector <#> a.point)) AS cosine
      FROM fitting f JOIN langgraph_item_vectors v ON v.item_id = f.item_id CROSS JOIN asked_vector a
     WHERE v.user_id = ${user} AND v.model = ${bind(model)} AND vector_dims(v.vector) = vector_dims(a.point)
     GROUP BY v.item_id),`;
}

function isNearSql({ minCosine }: VectorQuery, bind: Bind): string {
  return minCosine === null ? 'c.cosine IS NOT NULL' : `c.cosine >= ${bind(minCosine)}::double precision`;
}
