/** One user's vectors under one model, seen from a point. */
export interface VectorScan {
  /** SQL of the user's id and of the model's name: parameters. */
  readonly user: string;
  readonly model: string;
  /** SQL of the point, by `bindVector` or `bindVectors`. */
  readonly parts: readonly string[];
}

/** SELECT of `(memory_id uuid, cosine float8)` for every memory of the user that has a vector under the model. */
export function distancesSql({ user, model, parts }: VectorScan): string {
  return `SELECT e.memory_id, 1 - (e.embedding <=> ${parts[0]}) AS cosine
            FROM memory_embeddings e WHERE e.user_id = ${user} AND e.model = ${model}`;
}

/**
 * SELECT of `(memory_id uuid, cosine float8)`, the nearest first, of memories that fulfil `conditions` (SQL on
 * `memories m`): at most `limit` rows, and fewer only when no more fulfil them. Exact: rows are tried in order of their
 * distance until enough have passed, so a filter that leaves little costs a look-up for each vector of the user.
 */
export function nearestSql(scan: VectorScan, { limit, conditions }: { limit: number; conditions: string }): string {
  // OFFSET 0 keeps the look-up a nested loop that stops at the limit. The limit stands in the text: a plan made once
  // has to know that only a few rows are wanted.
  return `SELECT n.memory_id, n.cosine
            FROM (${distancesSql(scan)} ORDER BY cosine DESC, e.memory_id) n
           CROSS JOIN LATERAL (SELECT FROM memories m WHERE m.id = n.memory_id AND ${conditions} OFFSET 0) m
           LIMIT ${Math.trunc(limit)}`;
}
