import { type Batch, isFinalBatchState } from '@annals/contracts';
import type { ApiClient } from '../client/api-client.js';
import { waitUntil } from '../waiting/wait-until.js';

export interface WaitForBatchesOptions {
  /** Adds details to the error message. */
  readonly explain?: () => string;
}

/** Concurrent requests for batches. */
const CONCURRENCY = 16;

/**
 * Waits until every batch is done or failed. The time limit begins anew with each batch that ends, so a long queue does
 * not reach it. Tolerates shorter outages of the API.
 */
export async function waitForBatches(
  client: ApiClient,
  ids: readonly string[],
  { explain }: WaitForBatchesOptions = {},
): Promise<Batch[]> {
  const ended = new Map<string, Batch>();
  let open = [...new Set(ids)];
  /** Reads the oldest open batches. True when one of them has ended. */
  const checkBatches = async (): Promise<boolean> => {
    const oldest = open.slice(0, CONCURRENCY);
    const batches = await mapConcurrently(oldest, (id) => client.must('getBatch', { params: { id } }));
    const before = ended.size;
    for (const batch of batches) if (isFinalBatchState(batch.status)) ended.set(batch.id, batch);
    open = open.filter((id) => !ended.has(id));
    return ended.size > before;
  };
  try {
    while (open.length > 0) await waitUntil(checkBatches, { describe: 'another batch has ended' });
  } catch (cause) {
    throw new Error(`${open.length} batches have not ended, for example ${open[0]}.\n${explain?.() ?? ''}`, { cause });
  }
  return ids.map((id) => ended.get(id)!);
}

/** Like {@link waitForBatches}, but throws when a batch failed. */
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

/** Runs `work` on all items, at most `concurrency` at a time; results are in the order of the items. */
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
