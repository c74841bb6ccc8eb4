import {
  ENDED_RUNS_START,
  findEndedMindRuns,
  pruneMindRuns,
  purgeEnergyUsage,
  purgeFingerprints,
} from '@annals/storage';
import type { MaintenanceJob } from '../maintenance-job.js';
import { repeat } from './repeat.js';
import { walkDue } from './walk-due.js';

const FETCH_SIZE = 500;
const PURGE_SIZE = 1_000;

/** How long records of minds are retained, and the time between two runs; in ms. */
export interface MindRecordRetention {
  readonly mindRecordsRetentionMs: number;
  readonly intervalMs: number;
}

/** Deletes records of runs after their retention, with their changes (docs/reference/minds.md#retention-of-runs). */
export function createMindRunsJob({ mindRecordsRetentionMs, intervalMs }: MindRecordRetention): MaintenanceJob {
  return {
    name: 'mind_runs',
    intervalMs,
    run: (run) => {
      const before = run.clock.now() - mindRecordsRetentionMs;
      return walkDue(run, {
        start: ENDED_RUNS_START,
        find: (after) => findEndedMindRuns(run.database, { before, after, limit: FETCH_SIZE }),
        write: ({ tenantId, userId, due }) =>
          run.database.inTenant(tenantId, (tx) =>
            pruneMindRuns(tx, { userId, runIds: due.map(({ runId }) => runId), before }),
          ),
      });
    },
  };
}

/** Deletes decisions about pairs that no longer stand (docs/reference/consolidation.md#fingerprints). */
export function createFingerprintsJob({ intervalMs }: Pick<MindRecordRetention, 'intervalMs'>): MaintenanceJob {
  return {
    name: 'pair_fingerprints',
    intervalMs,
    run: (run) =>
      repeat(run, async () => {
        const done = await purgeFingerprints(run.database, run.clock.now(), PURGE_SIZE);
        return { done, isComplete: done < PURGE_SIZE };
      }),
  };
}

/** Deletes the sums of energy of days after their retention. */
export function createEnergyJob({ mindRecordsRetentionMs, intervalMs }: MindRecordRetention): MaintenanceJob {
  return {
    name: 'energy_days',
    intervalMs,
    run: (run) => {
      const before = run.clock.now() - mindRecordsRetentionMs;
      return repeat(run, async () => {
        const done = await purgeEnergyUsage(run.database, before, PURGE_SIZE);
        return { done, isComplete: done < PURGE_SIZE };
      });
    },
  };
}
