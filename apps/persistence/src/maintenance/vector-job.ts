import type { IdGenerator } from '@annals/domain';
import { type MaintenanceJob, walkDue } from '@annals/runtime';
import { findWithoutVector, requestVectors, SCAN_START } from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';

/** Between two scans for what has no vector, in ms. */
export const VECTOR_INTERVAL_MS = 60 * 60 * 1_000;
/** Rows that are read at a time. */
export const VECTOR_SCAN_SIZE = 1_000;
/** Work that has failed is tried again after this time, in ms: a new model or a corrected configuration may mend it. */
export const REVIVE_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Asks for vectors where no write has: all of them after a change of the embedding model, and those of memories that a
 * process of an earlier release wrote. Work that waits or is deferred is left as it is; what has failed is asked for again a
 * day later.
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
    intervalMs: VECTOR_INTERVAL_MS,
    run: (run) =>
      walkDue(run, {
        start: SCAN_START,
        find: (after) => findWithoutVector(run.database, { model: embedder.model, after, scan: VECTOR_SCAN_SIZE }),
        write: ({ tenantId, userId }) => {
          const now = run.clock.now();
          const request = { now, ids, failedUntil: now - REVIVE_AFTER_MS };
          return run.database.inTenant(tenantId, (tx) => requestVectors(tx, userId, request));
        },
      }),
  };
}
