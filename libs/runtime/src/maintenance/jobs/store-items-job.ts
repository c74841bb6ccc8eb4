import { purgeExpiredItems } from '@annals/storage';
import type { MaintenanceJob } from '../maintenance-job.js';
import { repeat } from './repeat.js';

const PURGE_SIZE = 1_000;

/** Deletes items of LangGraph's store that have expired (docs/reference/langgraph-store.md#time-to-live). */
export function createStoreItemsJob({ intervalMs }: { readonly intervalMs: number }): MaintenanceJob {
  return {
    name: 'langgraph_items',
    intervalMs,
    run: (run) =>
      repeat(run, async () => {
        const done = await purgeExpiredItems(run.database, run.clock.now(), PURGE_SIZE);
        return { done, isComplete: done < PURGE_SIZE };
      }),
  };
}
