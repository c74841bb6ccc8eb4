import type { VectorScan } from './vector-scan.js';

/** Stored vectors and points are at unit length, so the inner product equals the cosine, at two thirds of the cost. */
const cosineSql = ({ column, point }: VectorScan) => `-(e.${column} <#> ${point})`;

const fromScan = ({ user, model, column }: VectorScan) =>
  `FROM memory_embeddings e WHERE e.user_id = ${user} AND e.model = ${model} AND e.${column} IS NOT NULL`;

/** SELECT of `(memory_id uuid, cosine float8)` for every memory of the user that has a vector under the model. */
export function cosinesSql(scan: VectorScan): string {
  return `SELECT e.memory_id, ${cosineSql(scan)} AS cosine ${fromScan(scan)}`;
}

/**
 * SQL of the cosine (float8) of one memory, whose id is the SQL `memoryId`; null when it has no vector under the model.
 */
export function cosineOfSql(scan: VectorScan, memoryId: string): string {
  return `(SELECT ${cosineSql(scan)} ${fromScan(scan)} AND e.memory_id = ${memoryId})`;
}

/** SQL of the vector (halfvec) of one memory, whose id is the SQL `memoryId`; null when it has none under the model. */
export function vectorOfSql({ user, model }: Pick<VectorScan, 'user' | 'model'>, memoryId: string): string {
  return `(SELECT coalesce(e.narrow, e.wide) FROM memory_embeddings e
            WHERE e.user_id = ${user} AND e.model = ${model} AND e.memory_id = ${memoryId})`;
}

/** `limit` times this factor is tried before all rows are: most memories pass, so that is usually enough. */
const FIRST_PASS_FACTOR = 4;

export interface NearestOptions {
  readonly limit: number;
  /** SQL conditions on `memories m`. */
  readonly conditions: string;
}

/**
 * SELECT of `(memory_id uuid, cosine float8)`, nearest first, of memories that fulfil the conditions: at most `limit`
 * rows, and fewer only when no more fulfil them. Exact: the nearest of all are tried first, and when too few of these
 * pass, all in order of their distance until enough have passed. So a very selective filter costs a look-up for each
 * vector of the user.
 */
export function nearestSql(scan: VectorScan, options: NearestOptions): string {
  return `${withNearest(scan, options)} SELECT memory_id, cosine FROM nearest`;
}

/**
 * SELECT of `(memory_id uuid, cosine float8)`, nearest first, without conditions on the memories: at most `limit` rows.
 */
export function nearestOfAllSql(scan: VectorScan, limit: number): string {
  return `${inOrderSql(scan)} LIMIT ${Math.trunc(limit)}`;
}

/**
 * The same as `nearestSql` as `(memory_id uuid, cosine float8, passes boolean)`, followed by all that were tried first,
 * with `passes` false: they may be candidates for another reason, and their cosines are known already.
 */
export function nearestAndFirstPassSql(scan: VectorScan, options: NearestOptions): string {
  return `${withNearest(scan, options)}
    SELECT memory_id, cosine, true AS passes FROM nearest UNION ALL SELECT memory_id, cosine, false FROM best`;
}

const inOrderSql = (scan: VectorScan) => `${cosinesSql(scan)} ORDER BY cosine DESC, e.memory_id`;

function withNearest(scan: VectorScan, { limit, conditions }: NearestOptions): string {
  // Limits are part of the SQL text: a plan that is made once has to know that only a few rows are requested.
  const count = Math.trunc(limit);
  const firstPassLimit = count * FIRST_PASS_FACTOR;
  const inOrder = inOrderSql(scan);
  // OFFSET 0 keeps the look-up a nested loop that stops at the limit.
  const passing = (from: string) => `SELECT n.memory_id, n.cosine FROM ${from} n
     CROSS JOIN LATERAL (SELECT FROM memories m WHERE m.id = n.memory_id AND ${conditions} OFFSET 0) m LIMIT ${count}`;
  return `
    WITH best AS MATERIALIZED (${nearestOfAllSql(scan, firstPassLimit)}),
         passed AS MATERIALIZED (${passing('best')}),
         first_pass AS MATERIALIZED (
           SELECT (SELECT count(*) FROM passed) = ${count} OR (SELECT count(*) FROM best) < ${firstPassLimit} AS is_enough),
         nearest AS (
           SELECT memory_id, cosine FROM passed WHERE (SELECT is_enough FROM first_pass)
           UNION ALL
           (SELECT memory_id, cosine FROM (${passing(`(${inOrder})`)}) every
             WHERE NOT (SELECT is_enough FROM first_pass)))`;
}
