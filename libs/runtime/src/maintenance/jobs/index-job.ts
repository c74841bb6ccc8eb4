import type { IdGenerator } from '@annals/domain';
import {
  findUnindexed,
  indexTurns,
  type ReindexProgress,
  reindexPage,
  type SweepPosition,
  type UnindexedUser,
} from '@annals/storage';
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
 * Fills gaps of the lexical index: users whose index was built by an older analyser, a step of each in turn, and sealed
 * batches that no worker indexed. Unindexed data are still found, only slower.
 */
export function createIndexJob({ ids }: Pick<LifecycleDependencies, 'ids'>): MaintenanceJob {
  return { name: 'lexical_index', intervalMs: INTERVAL_MS, run: (run) => fillGaps(run, ids) };
}

async function fillGaps(run: MaintenanceRun, ids: IdGenerator): Promise<MaintenanceProgress> {
  const { database, clock } = run;
  const shouldContinue = startTimeBudget(run);
  const failed = new Set<string>();
  let underWay = new Map<string, SweepPosition | null>();
  let done = 0;
  let problem: unknown;
  for (;;) {
    // Users who failed or need more steps are found again, before others: they must not keep these from being found.
    const limit = FETCH_BATCH_SIZE + failed.size + underWay.size;
    const gaps = await findUnindexed(database, { limit, now: clock.now() });
    const unfinished = new Map<string, SweepPosition | null>();
    let isRebuilt = false;
    let filled = 0;
    for (const gap of gaps.filter((each) => !failed.has(keyOf(each)))) {
      // Remaining gaps are found again, so the cursor needs no position.
      if (!shouldContinue()) return { done: done + filled, cursor: {}, problem };
      try {
        const { state, swept } = await fillGap(run, ids, gap, underWay.get(keyOf(gap)) ?? null);
        if (state === 'under_way') unfinished.set(keyOf(gap), swept);
        isRebuilt ||= gap.batchId === null && state === 'finished';
        filled += 1;
      } catch (error) {
        if (isStoreOutage(error)) throw error;
        failed.add(keyOf(gap));
        problem ??= error;
      }
    }
    done += filled;
    // Batches of a user are found once the index that they belong to is rebuilt.
    if (gaps.length < limit && unfinished.size === 0 && !isRebuilt) return { done, cursor: null, problem };
    underWay = unfinished;
  }
}

const keyOf = ({ tenantId, userId, batchId }: UnindexedUser) => JSON.stringify([tenantId, userId, batchId]);

async function fillGap(
  { database, clock }: MaintenanceRun,
  ids: IdGenerator,
  { tenantId, userId, batchId }: UnindexedUser,
  swept: SweepPosition | null,
): Promise<ReindexProgress> {
  return database.inTenant(tenantId, async (tx) => {
    if (batchId === null) return reindexPage(tx, { userId, swept });
    await indexTurns(tx, { batchId, now: clock.now(), ids });
    return { state: 'finished', swept: null };
  });
}
