import { expireProposals } from '@annals/storage';
import { randomBytes } from '../../infrastructure/random-bytes.js';
import { type MaintenanceJob, startBudget } from '../maintenance-job.js';
import type { LifecycleDependencies } from './lifecycle-dependencies.js';

const ENDED_AT_A_TIME = 200;

/** Ends proposals that nobody answered within a week (SYS §10). What has ended is not found again: there is no cursor. */
export function createProposalJob({
  ids,
  retention,
}: Pick<LifecycleDependencies, 'ids' | 'retention'>): MaintenanceJob {
  return {
    name: 'context_proposals',
    intervalMs: retention.intervalMs,
    run: async (run) => {
      const { database, clock } = run;
      const mayGoOn = startBudget(run);
      let done = 0;
      let isComplete = false;
      while (!isComplete && mayGoOn()) {
        const expired = await expireProposals(
          database,
          { limit: ENDED_AT_A_TIME, mayGoOn },
          { clock, ids, randomBytes },
        );
        done += expired.ended;
        isComplete = expired.isComplete;
      }
      return { done, cursor: isComplete ? null : 'more' };
    },
  };
}
