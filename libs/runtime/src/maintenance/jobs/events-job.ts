import { purgeEvents } from '@annals/storage';
import { type MaintenanceJob, startTimeBudget } from '../maintenance-job.js';

const DELETE_BATCH_SIZE = 1_000;

/** How long events are kept, and the time between two searches; in ms. */
export interface EventRetention {
  readonly eventsRetentionMs: number;
  readonly intervalMs: number;
}

/** Forgets events of old. What is gone is not found again: there is no cursor. History and change log are not its own. */
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
