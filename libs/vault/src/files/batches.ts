import pMap from 'p-map';
import { toVaultError } from '../unavailable.js';

/** Operations on files at a time: more than Node has threads for them (4), so that none of these waits. */
const CONCURRENCY = 16;

/** Runs `work` over `items`, some at a time; results in the order of `items`. Rejects with `toVaultError` of the first error. */
export async function mapFiles<Item, Result>(
  folder: string,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  try {
    return await pMap(items, work, { concurrency: CONCURRENCY });
  } catch (error) {
    throw toVaultError(error, folder);
  }
}
