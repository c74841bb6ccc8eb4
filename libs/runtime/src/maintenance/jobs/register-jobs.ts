import type { Config } from '@annals/config';
import type { Infrastructure } from '../../infrastructure/infrastructure.js';
import {
  createCheckpointJob,
  createDryRunJob,
  createEventsJob,
  createIdempotencyJob,
  createLangGraphJob,
  createProposalJob,
  createWebhookJob,
} from './retention-jobs.js';
import { createExpiryJob, createOneTimeDataJob, createPurgeJob } from './lifecycle-jobs.js';
import { createEchoesJob } from './echoes-job.js';
import { createIndexJob } from './index-job.js';
import { createStoreItemsJob } from './store-items-job.js';
import { createEnergyJob, createFingerprintsJob, createMindRunsJob } from './mind-record-jobs.js';

/** Adds all maintenance jobs to a process; it runs those that no other process has leased. */
export function registerMaintenanceJobs(
  { maintenance, ids, metrics }: Pick<Infrastructure, 'maintenance' | 'ids' | 'metrics'>,
  { retention, checkpoints, webhooks }: Config<'retention' | 'checkpoints' | 'webhooks'>,
): void {
  const lifecycle = { ids, metrics, retention };
  const jobs = [
    createIndexJob(lifecycle),
    createEchoesJob(lifecycle),
    createExpiryJob(lifecycle),
    createPurgeJob(lifecycle),
    createOneTimeDataJob(lifecycle),
    createCheckpointJob(checkpoints),
    createLangGraphJob(checkpoints),
    createProposalJob(lifecycle),
    createEventsJob(retention),
    createWebhookJob(webhooks),
    createIdempotencyJob(),
    createDryRunJob(),
    createMindRunsJob(retention),
    createFingerprintsJob(retention),
    createEnergyJob(retention),
    createStoreItemsJob(retention),
  ];
  for (const job of jobs) maintenance.add(job);
}
