import type { Infrastructure } from '../../infrastructure/infrastructure.js';
import { createExpiryJob } from './expiry-job.js';
import { createIdempotencyJob } from './idempotency-job.js';
import type { RetentionRules } from './lifecycle-dependencies.js';
import { createPurgeJob } from './purge-job.js';

/** Gives a process every job of the fleet; it runs those that no other process has. */
export function registerMaintenanceJobs(
  { maintenance, ids, metrics }: Pick<Infrastructure, 'maintenance' | 'ids' | 'metrics'>,
  retention: RetentionRules,
): void {
  const lifecycle = { ids, metrics, retention };
  const jobs = [createExpiryJob(lifecycle), createPurgeJob(lifecycle), createIdempotencyJob()];
  for (const job of jobs) maintenance.add(job);
}
