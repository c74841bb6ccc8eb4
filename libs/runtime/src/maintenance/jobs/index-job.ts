import { findUnindexed, indexTurns, isTransientDatabaseError, reindexUser, type UnindexedUser } from '@annals/storage';
import { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun, startBudget } from '../maintenance-job.js';

const FOUND_AT_A_TIME = 50;
const INTERVAL_MS = 60 * 1_000;

/**
 * Fills gaps of the lexical index: users whose index an older analyser made, and sealed batches that no worker took. What
 * is not indexed yet is found all the same, only slower.
 */
export function createIndexJob(): MaintenanceJob {
  return { name: 'lexical_index', intervalMs: INTERVAL_MS, run: fillGaps };
}

async function fillGaps(run: MaintenanceRun): Promise<MaintenanceProgress> {
  const { database, clock } = run;
  const mayGoOn = startBudget(run);
  let done = 0;
  for (;;) {
    const gaps = await findUnindexed(database, { limit: FOUND_AT_A_TIME, now: clock.now() });
    let filled = 0;
    let problem: unknown;
    for (const gap of gaps) {
      // What is left is found again: there is no place to remember.
      if (!mayGoOn()) return { done: done + filled, cursor: {} };
      try {
        await fillGap(run, gap);
        filled += 1;
      } catch (error) {
        if (isTransientDatabaseError(error)) throw error;
        problem ??= error;
      }
    }
    done += filled;
    if (filled < FOUND_AT_A_TIME) return { done, cursor: null, problem };
  }
}

async function fillGap({ database, clock }: MaintenanceRun, { tenantId, userId, batchId }: UnindexedUser) {
  const now = clock.now();
  await database.inTenant(tenantId, async (tx) => {
    if (batchId === null) await reindexUser(tx, { userId, now });
    else await indexTurns(tx, { batchId, now });
  });
}
