import type { IdGenerator } from '@annals/domain';
import { type MaintenanceJob, walkDue } from '@annals/runtime';
import { findItemsWithoutVector, ITEM_TEXTS_START, requestAbsentItemVectors } from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';
import { REVIVE_AFTER_MS, VECTOR_INTERVAL_MS, VECTOR_SCAN_SIZE } from './vector-job.js';

/**
 * Asks for vectors of items of LangGraph's store where no put has: all of them after a change of the embedding model
 * (docs/reference/langgraph-store.md#late-vectors). As `memory_vectors`, it leaves alone what waits or is deferred.
 */
export function createItemVectorJob({
  embedder,
  ids,
}: {
  readonly embedder: Pick<ContentEmbedder, 'model'>;
  readonly ids: IdGenerator;
}): MaintenanceJob {
  return {
    name: 'langgraph_item_vectors',
    intervalMs: VECTOR_INTERVAL_MS,
    run: (run) => {
      const now = run.clock.now();
      const { model } = embedder;
      return walkDue(run, {
        start: ITEM_TEXTS_START,
        find: (after) => findItemsWithoutVector(run.database, { model, now, after, scan: VECTOR_SCAN_SIZE }),
        write: ({ tenantId, userId }) =>
          run.database.inTenant(tenantId, (tx) =>
            requestAbsentItemVectors(tx, userId, { now, ids, failedUntil: now - REVIVE_AFTER_MS }),
          ),
      });
    },
  };
}
