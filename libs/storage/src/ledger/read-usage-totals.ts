import type { Tx } from '../database/transaction.js';
import type { UsageRow } from './read-usage.js';

/** Totals of all calls of a range of days, and of the memories they resulted in. */
export type UsageTotals = Pick<
  UsageRow,
  'calls' | 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'costMicroUsd' | 'estimated'
> & {
  /** Inserted by batches that ended in these days. */
  readonly memories: number;
};

/** Total usage and cost of the tenant's calls of the UTC days `from` to `to` (`YYYY-MM-DD`). */
export async function readUsageTotals(tx: Tx, { from, to }: { from: string; to: string }): Promise<UsageTotals> {
  const [row] = await tx.query<Record<string, string> & { estimated: boolean | null }>(
    `SELECT count(*) AS calls, coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output,
            coalesce(sum(cache_read_tokens), 0) AS cache_read, coalesce(sum(cache_write_tokens), 0) AS cache_write,
            coalesce(sum(cost_micro_usd), 0) AS cost, bool_or(estimated) AS estimated,
            (SELECT coalesce(sum(b.inserted), 0) FROM batches b
              WHERE b.finished_at >= $1::date AT TIME ZONE 'UTC'
                AND b.finished_at < ($2::date + 1) AT TIME ZONE 'UTC') AS memories
       FROM usage WHERE day BETWEEN $1 AND $2`,
    [from, to],
  );
  return {
    calls: Number(row!.calls),
    inputTokens: Number(row!.input),
    outputTokens: Number(row!.output),
    cacheReadTokens: Number(row!.cache_read),
    cacheWriteTokens: Number(row!.cache_write),
    costMicroUsd: Number(row!.cost),
    estimated: row!.estimated ?? false,
    memories: Number(row!.memories),
  };
}
