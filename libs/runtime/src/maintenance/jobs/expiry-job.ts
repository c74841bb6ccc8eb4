import { expireMemories, type ExpiryRule, findExpired, SCAN_START } from '@annals/storage';
import type { MaintenanceJob, MaintenanceProgress, MaintenanceRun } from '../maintenance-job.js';
import { type LifecycleDependencies, toWriteDependencies } from './lifecycle-dependencies.js';
import { walkMemories } from './walk-memories.js';
import type { MemoryChunk } from './write-chunks.js';

const SCAN_BATCH_SIZE = 2_000;

/**
 * Deletes memories that were not read, changed or observed again for the retention time, unless they are pinned or
 * important (docs/reference/lifecycle.md#expiry-after-60-days). Scans all memories in the order of their key; a deleted
 * memory is not found again, so a scan may resume from any earlier position.
 */
export function createExpiryJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return { name: 'memory_expiry', intervalMs: retention.intervalMs, run: (run) => expire(run, dependencies) };
}

function expire(run: MaintenanceRun, dependencies: LifecycleDependencies): Promise<MaintenanceProgress> {
  const { ttlMs, minRetainedImportance } = dependencies.retention;
  const rule: ExpiryRule = { idleSince: run.clock.now() - ttlMs, minRetainedImportance };
  return walkMemories(run, {
    start: SCAN_START,
    find: (after) => findExpired(run.database, rule, { after, scan: SCAN_BATCH_SIZE }),
    write: (chunk) => expireChunk(run, chunk, rule, dependencies),
  });
}

async function expireChunk(
  { database, clock }: MaintenanceRun,
  { tenantId, userId, memoryIds }: MemoryChunk,
  rule: ExpiryRule,
  dependencies: LifecycleDependencies,
): Promise<number> {
  const { expired, unread } = await database.inTenant(tenantId, (tx) =>
    expireMemories(tx, { userId, memoryIds, rule }, toWriteDependencies(clock, dependencies)),
  );
  dependencies.metrics.add('memory_llm_memories_expired_total', expired);
  dependencies.metrics.add('memory_llm_memories_junk_total', unread, { cause: 'expired_unread' });
  return expired;
}
