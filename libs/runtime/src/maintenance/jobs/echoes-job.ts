import type { IdGenerator, JsonValue } from '@annals/domain';
import { type EchoesDue, findEchoesDue, notePageOfEchoes } from '@annals/storage';
import { isStoreOutage } from '../../leased-job/run-leased-job.js';
import {
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  startTimeBudget,
} from '../maintenance-job.js';
import type { LifecycleDependencies } from './lifecycle-jobs.js';

const FETCH_BATCH_SIZE = 50;
const INTERVAL_MS = 60 * 1_000;

/**
 * Finds the turns that repeat what was over before an upgrade, or before the user's index was rebuilt
 * (docs/reference/recall.md#echoes). Queries do not wait for it: until a page is done, they answer without its echoes.
 */
export function createEchoesJob({ ids }: Pick<LifecycleDependencies, 'ids'>): MaintenanceJob {
  return { name: 'echoes', intervalMs: INTERVAL_MS, run: (run) => notePages(run, ids) };
}

type Position = Omit<EchoesDue, 'userId'>;

/** A page of one user of each tenant in turn. What is done is not found again, so the cursor only keeps whose turn it is. */
async function notePages(run: MaintenanceRun, ids: IdGenerator): Promise<MaintenanceProgress> {
  const { database, clock } = run;
  const shouldContinue = startTimeBudget(run);
  const skipped: EchoesDue[] = [];
  let after = run.cursor as unknown as Position | null;
  let done = 0;
  let problem: unknown;
  for (;;) {
    const due = await findEchoesDue(database, { after, skipped, limit: FETCH_BATCH_SIZE });
    if (due.length === 0 && after === null) return { done, cursor: null, problem };
    for (const user of due) {
      if (!shouldContinue()) return { done, cursor: after as unknown as JsonValue, problem };
      try {
        const request = { now: clock.now(), ids };
        done += await database.inTenant(user.tenantId, (tx) => notePageOfEchoes(tx, user.userId, request));
      } catch (error) {
        if (isStoreOutage(error)) throw error;
        skipped.push(user);
        problem ??= error;
      }
      after = { tenantId: user.tenantId, version: user.version };
    }
    if (due.length < FETCH_BATCH_SIZE) after = null;
  }
}
