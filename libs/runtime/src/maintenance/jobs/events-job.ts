import { purgeEvents } from '@annals/storage';
import { type MaintenanceJob, startTimeBudget } from '../maintenance-job.js';

const DELETE_BATCH_SIZE = 1_000;

/** How long events are retained, and the time between two runs; in ms. */
export interface EventRetention {
  readonly eventsRetentionMs: number;
  readonly intervalMs: number;
}

/**
 * Deletes events after their retention. Needs no cursor, since deleted events are not found again. History and change
 * log are not touched.
 */
export function createEventsJob({ eventsRetentionMs, intervalMs }: EventRetention): MaintenanceJob {
  return {
    name: 'events',
    intervalMs,
    run: async (run) => {
      const { database, clock } = run;
      const before = clock.now() - eventsRetentionMs;
      const shouldContinue = startTimeBudget(run);
      let done = 0;
      while (shouldContinue()) {
        const deleted = await purgeEvents(database, before, DELETE_BATCH_SIZE);
        done += deleted;
        if (deleted < DELETE_BATCH_SIZE) return { done, cursor: null };
      }
      return { done, cursor: 'more' };
    },
  };
}
