import { type Batch, isFinalBatchState } from '@annals/contracts';
import type { ApiClient } from '../client/api-client.js';
import { waitUntil } from '../waiting/wait-until.js';

export interface WaitForBatchesOptions {
  /** How long no batch may end, in ms; default 60 s. A busy machine that makes progress is waited for. */
  readonly timeoutMs?: number;
  /** Called for the message of a failure. */
  readonly explain?: () => string;
}

/** How many batches are asked for at the same time. */
const CONCURRENCY = 16;

/** Waits until every batch is done or failed. An API that is away for a while is waited for. */
export async function waitForBatches(
  client: ApiClient,
  ids: readonly string[],
  { timeoutMs = 60_000, explain }: WaitForBatchesOptions = {},
): Promise<Batch[]> {
  const ended = new Map<string, Batch>();
  let open = [...new Set(ids)];
  /** Reads the oldest open batches, and the next ones while all of them have ended. True after progress. */
  const checkBatches = async (): Promise<boolean> => {
    const before = open.length;
    for (let remaining = open; remaining.length > 0; remaining = open) {
      const oldest = remaining.slice(0, CONCURRENCY);
      const batches = await mapConcurrently(oldest, (id) => client.must('getBatch', { params: { id } }));
      for (const batch of batches) if (isFinalBatchState(batch.status)) ended.set(batch.id, batch);
      open = open.filter((id) => !ended.has(id));
      if (open.length > remaining.length - oldest.length) break;
    }
    return open.length < before;
  };
  try {
    while (open.length > 0)
      await waitUntil(checkBatches, { describe: 'another batch has ended', timeoutMs, intervalMs: 100 });
  } catch (cause) {
    throw new Error(`${open.length} batches have not ended, ${open[0]} for one.\n${explain?.() ?? ''}`, { cause });
  }
  return ids.map((id) => ended.get(id)!);
}

/** The same, for batches that must not fail. */
export async function waitUntilDone(
  client: ApiClient,
  ids: readonly string[],
  options: WaitForBatchesOptions = {},
): Promise<Batch[]> {
  const batches = await waitForBatches(client, ids, options);
  const failed = batches.find(({ status }) => status !== 'done');
  if (failed)
    throw new Error(`Batch ${failed.id} failed: ${JSON.stringify(failed.error)}\n${options.explain?.() ?? ''}`);
  return batches;
}

/** Runs `work` on all items, a few at a time; answers in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  concurrency = CONCURRENCY,
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length });
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run));
  return results;
}
