import type { JsonValue } from '@annals/domain';
import { findPurgeable, PURGE_START, type PurgePosition, purgeMemories } from '@annals/storage';
import { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun, startBudget } from '../maintenance-job.js';
import { type LifecycleDependencies, toWriteDependencies } from './lifecycle-dependencies.js';
import { groupByUser, type MemoryChunk, writeChunks } from './write-chunks.js';

const FOUND_AT_A_TIME = 500;

/** Ends deleted memories whose time to be restored is over, the longest due first. */
export function createPurgeJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return { name: 'memory_purge', intervalMs: retention.intervalMs, run: (run) => purge(run, dependencies) };
}

async function purge(run: MaintenanceRun, dependencies: LifecycleDependencies): Promise<MaintenanceProgress> {
  const now = run.clock.now();
  const mayGoOn = startBudget(run);
  let position: PurgePosition | null = readPosition(run.cursor);
  let done = 0;
  let problem: unknown;
  while (position !== null && mayGoOn()) {
    const found = await findPurgeable(run.database, { now, after: position, limit: FOUND_AT_A_TIME });
    const written = await writeChunks(groupByUser(found.due), mayGoOn, (chunk) => purgeChunk(run, chunk, dependencies));
    done += written.done;
    problem ??= written.problem;
    if (!written.isComplete) break;
    position = found.position;
  }
  return { done, cursor: position && toCursor(position), problem };
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

function toCursor({ purgeAt, tenantId, memoryId }: PurgePosition): JsonValue {
  return { purgeAt, tenantId, memoryId };
}

function readPosition(cursor: JsonValue | null): PurgePosition {
  return cursor === null ? PURGE_START : (cursor as unknown as PurgePosition);
}
