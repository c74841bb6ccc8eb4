import { findPurgeable, PURGE_START, purgeMemories } from '@annals/storage';
import type { MaintenanceJob, MaintenanceProgress, MaintenanceRun } from '../maintenance-job.js';
import { type LifecycleDependencies, toWriteDependencies } from './lifecycle-dependencies.js';
import { walkMemories } from './walk-memories.js';
import type { MemoryChunk } from './write-chunks.js';

const FETCH_BATCH_SIZE = 500;

/** Purges deleted memories that can no longer be restored, those due longest first. */
export function createPurgeJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return { name: 'memory_purge', intervalMs: retention.intervalMs, run: (run) => purge(run, dependencies) };
}

function purge(run: MaintenanceRun, dependencies: LifecycleDependencies): Promise<MaintenanceProgress> {
  const now = run.clock.now();
  return walkMemories(run, {
    start: PURGE_START,
    find: (after) => findPurgeable(run.database, { now, after, limit: FETCH_BATCH_SIZE }),
    write: (chunk) => purgeChunk(run, chunk, dependencies),
  });
}

async function purgeChunk(
  { database, clock }: MaintenanceRun,
  { tenantId, userId, memoryIds }: MemoryChunk,
  dependencies: LifecycleDependencies,
): Promise<number> {
  const purged = await database.inTenant(tenantId, (tx) =>
    purgeMemories(tx, { userId, memoryIds }, toWriteDependencies(clock, dependencies)),
  );
  dependencies.metrics.add('memory_llm_memories_purged_total', purged);
  return purged;
}
