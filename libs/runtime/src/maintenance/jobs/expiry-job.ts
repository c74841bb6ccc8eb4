import type { JsonValue } from '@annals/domain';
import { expireMemories, type ExpiryRule, findExpired, WALK_START, type WalkPosition } from '@annals/storage';
import { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun, startBudget } from '../maintenance-job.js';
import { type LifecycleDependencies, toWriteDependencies } from './lifecycle-dependencies.js';
import { groupByUser, type MemoryChunk, writeChunks } from './write-chunks.js';

const SCANNED_AT_A_TIME = 2_000;

/**
 * Deletes what nobody read, changed or said again for long, unless it is pinned or important (SYS §7). Walks over all
 * memories in the order of their key; what is deleted is not found again, so a walk may go on from anywhere before.
 */
export function createExpiryJob(dependencies: LifecycleDependencies): MaintenanceJob {
  const { retention } = dependencies;
  return { name: 'memory_expiry', intervalMs: retention.intervalMs, run: (run) => expire(run, dependencies) };
}

async function expire(run: MaintenanceRun, dependencies: LifecycleDependencies): Promise<MaintenanceProgress> {
  const { ttlMs, keptImportance } = dependencies.retention;
  const rule: ExpiryRule = { idleSince: run.clock.now() - ttlMs, keptImportance };
  const mayGoOn = startBudget(run);
  let position: WalkPosition | null = readPosition(run.cursor);
  let done = 0;
  let problem: unknown;
  while (position !== null && mayGoOn()) {
    const found = await findExpired(run.database, rule, { after: position, scan: SCANNED_AT_A_TIME });
    const written = await writeChunks(groupByUser(found.due), mayGoOn, (chunk) =>
      expireChunk(run, chunk, rule, dependencies),
    );
    done += written.done;
    problem ??= written.problem;
    if (!written.isComplete) break;
    position = found.position;
  }
  return { done, cursor: position && toCursor(position), problem };
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

function toCursor({ tenantId, memoryId }: WalkPosition): JsonValue {
  return { tenantId, memoryId };
}

function readPosition(cursor: JsonValue | null): WalkPosition {
  return cursor === null ? WALK_START : (cursor as unknown as WalkPosition);
}
