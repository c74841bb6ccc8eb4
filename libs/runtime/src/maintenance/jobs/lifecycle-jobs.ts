import type { Clock, IdGenerator } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import {
  type DueMemory,
  expireMemories,
  type ExpiryRule,
  findExpired,
  findPurgeable,
  findShortLived,
  forgetShortLived,
  PURGE_START,
  purgeMemories,
  SCAN_START,
  SHORT_LIVED_START,
  type ShortLived,
  type WriteDependencies,
} from '@annals/storage';
import { randomBytes } from '../../infrastructure/process-context.js';
import type { MaintenanceJob, MaintenanceProgress, MaintenanceRun } from '../maintenance-job.js';
import { type Chunk, walkDue } from './walk-due.js';

const EXPIRY_SCAN_SIZE = 2_000;
const PURGE_FETCH_SIZE = 500;

/** When memories are deleted and how long they can be restored; in ms. */
interface RetentionRules {
  readonly ttlMs: number;
  /** Importance, 1–5, from which on a memory does not expire. */
  readonly minRetainedImportance: number;
  readonly purgeAfterMs: number;
  /** Between two passes. */
  readonly intervalMs: number;
}

export interface LifecycleDependencies {
  readonly ids: IdGenerator;
  readonly metrics: Metrics;
  readonly retention: RetentionRules;
}

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
  return walkDue(run, {
    start: SCAN_START,
    find: (after) => findExpired(run.database, rule, { after, scan: EXPIRY_SCAN_SIZE }),
    write: (chunk) => expireChunk(run, chunk, rule, dependencies),
  });
}

async function expireChunk(
  { database, clock }: MaintenanceRun,
  { tenantId, userId, due }: Chunk<DueMemory>,
  rule: ExpiryRule,
  dependencies: LifecycleDependencies,
): Promise<number> {
  const { expired, unread } = await database.inTenant(tenantId, (tx) =>
    expireMemories(tx, { userId, memoryIds: idsOf(due), rule }, toWriteDependencies(clock, dependencies)),
  );
  dependencies.metrics.add('memory_llm_memories_expired_total', expired);
  dependencies.metrics.add('memory_llm_memories_junk_total', unread, { cause: 'expired_unread' });
  return expired;
}

/** Purges deleted memories that can no longer be restored, those due longest first. */
export function createPurgeJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return { name: 'memory_purge', intervalMs: retention.intervalMs, run: (run) => purge(run, dependencies) };
}

function purge(run: MaintenanceRun, dependencies: LifecycleDependencies): Promise<MaintenanceProgress> {
  const now = run.clock.now();
  return walkDue(run, {
    start: PURGE_START,
    find: (after) => findPurgeable(run.database, { now, after, limit: PURGE_FETCH_SIZE }),
    write: (chunk) => purgeChunk(run, chunk, dependencies),
  });
}

async function purgeChunk(
  { database, clock }: MaintenanceRun,
  { tenantId, userId, due }: Chunk<DueMemory>,
  dependencies: LifecycleDependencies,
): Promise<number> {
  const purged = await database.inTenant(tenantId, (tx) =>
    purgeMemories(tx, { userId, memoryIds: idsOf(due) }, toWriteDependencies(clock, dependencies)),
  );
  dependencies.metrics.add('memory_llm_memories_purged_total', purged);
  return purged;
}

/** Forgets one-time data whose time is over (docs/reference/forgetting.md#one-time-data). */
export function createOneTimeDataJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return {
    name: 'one_time_data',
    intervalMs: retention.intervalMs,
    run: (run) => {
      const now = run.clock.now();
      return walkDue(run, {
        start: SHORT_LIVED_START,
        find: (after) => findShortLived(run.database, { now, after, limit: PURGE_FETCH_SIZE }),
        write: (chunk) => forgetChunk(run, chunk, dependencies),
      });
    },
  };
}

function forgetChunk(
  { database, clock }: MaintenanceRun,
  { tenantId, due }: Chunk<ShortLived>,
  dependencies: LifecycleDependencies,
): Promise<number> {
  return database.inTenant(tenantId, (tx) => forgetShortLived(tx, due, toWriteDependencies(clock, dependencies)));
}

function toWriteDependencies(clock: Clock, { ids, retention }: LifecycleDependencies): WriteDependencies {
  return { clock, ids, randomBytes, purgeAfterMs: retention.purgeAfterMs };
}

const idsOf = (due: readonly DueMemory[]) => due.map(({ memoryId }) => memoryId);
