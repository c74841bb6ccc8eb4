import { purgeIdempotencyKeys } from '@annals/storage';
import type { MaintenanceJob } from '../maintenance-job.js';

/** See docs/reference/api.md#idempotency-key. */
const RETENTION_MS = 24 * 60 * 60 * 1_000;
const INTERVAL_MS = 10 * 60 * 1_000;

/** Deletes responses that were stored under an Idempotency-Key after a day. */
export function createIdempotencyJob(): MaintenanceJob {
  return {
    name: 'idempotency_keys',
    intervalMs: INTERVAL_MS,
    run: async ({ database, clock }) => ({
      done: await purgeIdempotencyKeys(database, clock.now() - RETENTION_MS),
      cursor: null,
    }),
  };
}
