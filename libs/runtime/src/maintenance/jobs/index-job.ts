import type { IdGenerator } from '@annals/domain';
import { findUnindexed, indexTurns, reindexOutdatedUser, type UnindexedUser } from '@annals/storage';
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
 * Fills gaps of the lexical index: users whose index was built by an older analyser, and sealed batches that no worker
 * indexed. Unindexed data are still found, only slower.
 */
export function createIndexJob({ ids }: Pick<LifecycleDependencies, 'ids'>): MaintenanceJob {
  return { name: 'lexical_index', intervalMs: INTERVAL_MS, run: (run) => fillGaps(run, ids) };
}

async function fillGaps(run: MaintenanceRun, ids: IdGenerator): Promise<MaintenanceProgress> {
  const { database, clock } = run;
  const shouldContinue = startTimeBudget(run);
  const failed = new Set<string>();
  let done = 0;
  let problem: unknown;
  for (;;) {
    // Failed users are found again, before all others: they must not keep the others from being found.
    const limit = FETCH_BATCH_SIZE + failed.size;
    const gaps = await findUnindexed(database, { limit, now: clock.now() });
    let filled = 0;
    for (const gap of gaps.filter((each) => !failed.has(keyOf(each)))) {
      // Remaining gaps are found again, so the cursor needs no position.
      if (!shouldContinue()) return { done: done + filled, cursor: {}, problem };
      try {
        await fillGap(run, ids, gap);
        filled += 1;
      } catch (error) {
        if (isStoreOutage(error)) throw error;
        failed.add(keyOf(gap));
        problem ??= error;
      }
    }
    done += filled;
    if (gaps.length < limit) return { done, cursor: null, problem };
  }
}

const keyOf = ({ tenantId, userId, batchId }: UnindexedUser) => JSON.stringify([tenantId, userId, batchId]);

async function fillGap(
  { database, clock }: MaintenanceRun,
  ids: IdGenerator,
  { tenantId, userId, batchId }: UnindexedUser,
) {
  const now = clock.now();
  await database.inTenant(tenantId, async (tx) => {
    if (batchId === null) await reindexOutdatedUser(tx, { userId, now });
    else await indexTurns(tx, { batchId, now, ids });
  });
}
