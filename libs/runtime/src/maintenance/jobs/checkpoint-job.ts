import type { JsonValue } from '@annals/domain';
import { type PruneCursor, pruneCheckpoints } from '@annals/storage';
import {
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  startTimeBudget,
} from '../maintenance-job.js';

const CHECK_BATCH_SIZE = 200;
const INTERVAL_MS = 60 * 60 * 1_000;

/**
 * Deletes checkpoint versions that are older than `keepMs` and have a later one
 * (docs/reference/checkpoints.md#versions-of-a-checkpoint).
 */
export function createCheckpointJob({ keepMs }: { readonly keepMs: number }): MaintenanceJob {
  return { name: 'checkpoint_versions', intervalMs: INTERVAL_MS, run: (run) => prune(run, keepMs) };
}

async function prune(run: MaintenanceRun, keepMs: number): Promise<MaintenanceProgress> {
  const { database, clock } = run;
  const shouldContinue = startTimeBudget(run);
  let cursor = run.cursor as unknown as PruneCursor | null;
  let done = 0;
  let problem: unknown;
  do {
    const pruned = await pruneCheckpoints(database, {
      before: clock.now() - keepMs,
      limit: CHECK_BATCH_SIZE,
      cursor,
    });
    done += pruned.versions;
    problem ??= pruned.problem;
    cursor = pruned.cursor;
  } while (cursor !== null && shouldContinue());
  return { done, cursor: cursor as unknown as JsonValue | null, problem };
}
