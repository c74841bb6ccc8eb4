import type { VectorScan } from './vector-scan.js';

/** Stored vectors and points are at unit length, so the inner product is the cosine, for two thirds of the price. */
const cosineSql = ({ column, point }: VectorScan) => `-(e.${column} <#> ${point})`;

const fromScan = ({ user, model, column }: VectorScan) =>
  `FROM memory_embeddings e WHERE e.user_id = ${user} AND e.model = ${model} AND e.${column} IS NOT NULL`;

/** SELECT of `(memory_id uuid, cosine float8)` for every memory of the user that has a vector under the model. */
export function cosinesSql(scan: VectorScan): string {
  return `SELECT e.memory_id, ${cosineSql(scan)} AS cosine ${fromScan(scan)}`;
}

/** The cosine (float8) of one memory, whose id is the SQL `memoryId`; null when it has no vector under the model. */
export function cosineOfSql(scan: VectorScan, memoryId: string): string {
  return `(SELECT ${cosineSql(scan)} ${fromScan(scan)} AND e.memory_id = ${memoryId})`;
}

/** So many times the rows that are wanted are tried before all are: most memories pass, so that is mostly enough. */
const FIRST_PASS_FACTOR = 4;

export interface NearestOptions {
  readonly limit: number;
  /** SQL on `memories m`. */
  readonly conditions: string;
}

/**
 * SELECT of `(memory_id uuid, cosine float8)`, the nearest first, of memories that fulfil the conditions: at most `limit`
 * rows, and fewer only when no more fulfil them. Exact: the best of all are tried first, and when too few of these pass,
 * every one in order of its distance until enough have. So a filter that leaves little costs a look-up for each vector
 * of the user.
 */
export function nearestSql(scan: VectorScan, options: NearestOptions): string {
  return `${withNearest(scan, options)} SELECT memory_id, cosine FROM nearest`;
}

/** SELECT of `(memory_id uuid, cosine float8)`, the nearest first, whatever memories they belong to: `limit` at most. */
export function nearestOfAllSql(scan: VectorScan, limit: number): string {
  return `${inOrderSql(scan)} LIMIT ${Math.trunc(limit)}`;
}

/**
 * The same as `nearestSql` as `(memory_id uuid, cosine float8, passes boolean)`, and behind it, with `passes` false, all
 * that was tried first: they may be candidates for another reason, and their cosines are known already.
 */
export function nearestAndFirstPassSql(scan: VectorScan, options: NearestOptions): string {
  return `${withNearest(scan, options)}
    SELECT memory_id, cosine, true AS passes FROM nearest UNION ALL SELECT memory_id, cosine, false FROM best`;
}

const inOrderSql = (scan: VectorScan) => `${cosinesSql(scan)} ORDER BY cosine DESC, e.memory_id`;

function withNearest(scan: VectorScan, { limit, conditions }: NearestOptions): string {
  // Limits stand in the text: a plan made once has to know that only a few rows are wanted.
  const wanted = Math.trunc(limit);
  const firstPassLimit = wanted * FIRST_PASS_FACTOR;
  const inOrder = inOrderSql(scan);
  // OFFSET 0 keeps the look-up a nested loop that stops at the limit.
  const passing = (from: string) => `SELECT n.memory_id, n.cosine FROM ${from} n
     CROSS JOIN LATERAL (SELECT FROM memories m WHERE m.id = n.memory_id AND ${conditions} OFFSET 0) m LIMIT ${wanted}`;
  return `
    WITH best AS MATERIALIZED (${nearestOfAllSql(scan, firstPassLimit)}),
         passed AS MATERIALIZED (${passing('best')}),
         first_pass AS MATERIALIZED (
           SELECT (SELECT count(*) FROM passed) = ${wanted} OR (SELECT count(*) FROM best) < ${firstPassLimit} AS is_enough),
         nearest AS (
           SELECT memory_id, cosine FROM passed WHERE (SELECT is_enough FROM first_pass)
           UNION ALL
           (SELECT memory_id, cosine FROM (${passing(`(${inOrder})`)}) every
             WHERE NOT (SELECT is_enough FROM first_pass)))`;
}
