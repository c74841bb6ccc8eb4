import type { Config } from '@annals/config';
import type { Infrastructure } from '../../infrastructure/infrastructure.js';
import { createCheckpointJob } from './checkpoint-job.js';
import { createEventsJob } from './events-job.js';
import { createExpiryJob } from './expiry-job.js';
import { createIdempotencyJob } from './idempotency-job.js';
import { createIndexJob } from './index-job.js';
import { createProposalJob } from './proposal-job.js';
import { createPurgeJob } from './purge-job.js';

/** Adds all maintenance jobs to a process; it runs those that no other process has leased. */
export function registerMaintenanceJobs(
  { maintenance, ids, metrics }: Pick<Infrastructure, 'maintenance' | 'ids' | 'metrics'>,
  { retention, checkpoints }: Config<'retention' | 'checkpoints'>,
): void {
  const lifecycle = { ids, metrics, retention };
  const jobs = [
    createIndexJob(),
    createExpiryJob(lifecycle),
    createPurgeJob(lifecycle),
    createCheckpointJob(checkpoints),
    createProposalJob(lifecycle),
    createEventsJob(retention),
    createIdempotencyJob(),
  ];
  for (const job of jobs) maintenance.add(job);
}
