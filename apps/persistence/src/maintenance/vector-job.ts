import type { IdGenerator } from '@annals/domain';
import { type MaintenanceJob, walkMemories } from '@annals/runtime';
import { findWithoutVector, requestVectors, SCAN_START } from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';

const INTERVAL_MS = 60 * 60 * 1_000;
const SCAN_BATCH_SIZE = 1_000;

/**
 * Asks for vectors where no write has: all of them after a change of the embedding model, and those of memories that a
 * process of an earlier release wrote. Work that waits, is deferred or has failed is left as it is.
 */
export function createVectorJob({
  embedder,
  ids,
}: {
  readonly embedder: Pick<ContentEmbedder, 'model'>;
  readonly ids: IdGenerator;
}): MaintenanceJob {
  return {
    name: 'memory_vectors',
    intervalMs: INTERVAL_MS,
    run: (run) =>
      walkMemories(run, {
        start: SCAN_START,
        find: (after) => findWithoutVector(run.database, { model: embedder.model, after, scan: SCAN_BATCH_SIZE }),
        write: ({ tenantId, userId }) =>
          run.database.inTenant(tenantId, (tx) => requestVectors(tx, userId, { now: run.clock.now(), ids })),
      }),
  };
}
