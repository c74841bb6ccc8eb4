import { purgeEvents } from '@annals/storage';
import { type MaintenanceJob, startBudget } from '../maintenance-job.js';

const DELETED_AT_A_TIME = 1_000;

/** How long events are kept, and the time between two searches; in ms. */
export interface EventRetention {
  readonly eventsKeptMs: number;
  readonly intervalMs: number;
}

/** Forgets events of old. What is gone is not found again: there is no cursor. History and change log are not its own. */
export function createEventsJob({ eventsKeptMs, intervalMs }: EventRetention): MaintenanceJob {
  return {
    name: 'events',
    intervalMs,
    run: async (run) => {
      const { database, clock } = run;
      const before = clock.now() - eventsKeptMs;
      const mayGoOn = startBudget(run);
      let done = 0;
      while (mayGoOn()) {
        const deleted = await purgeEvents(database, before, DELETED_AT_A_TIME);
        done += deleted;
        if (deleted < DELETED_AT_A_TIME) return { done, cursor: null };
      }
      return { done, cursor: 'more' };
    },
  };
}
