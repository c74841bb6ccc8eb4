import { expireProposals } from '@annals/storage';
import { randomBytes } from '../../infrastructure/random-bytes.js';
import { type MaintenanceJob, startTimeBudget } from '../maintenance-job.js';
import type { LifecycleDependencies } from './lifecycle-dependencies.js';

const EXPIRE_BATCH_SIZE = 200;

/**
 * Expires proposals that were not answered within a week (docs/reference/consent.md#proposals-expire-after-7-days).
 * Needs no cursor, since expired proposals are not found again.
 */
export function createProposalJob({
  ids,
  retention,
}: Pick<LifecycleDependencies, 'ids' | 'retention'>): MaintenanceJob {
  return {
    name: 'context_proposals',
    intervalMs: retention.intervalMs,
    run: async (run) => {
      const { database, clock } = run;
      const shouldContinue = startTimeBudget(run);
      let done = 0;
      let isComplete = false;
      while (!isComplete && shouldContinue()) {
        const expired = await expireProposals(
          database,
          { limit: EXPIRE_BATCH_SIZE, shouldContinue },
          { clock, ids, randomBytes },
        );
        done += expired.ended;
        isComplete = expired.isComplete;
      }
      return { done, cursor: isComplete ? null : 'more' };
    },
  };
}
