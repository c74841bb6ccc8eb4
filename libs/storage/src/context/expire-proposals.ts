import { planExpiry } from '@annals/domain';
import { lockUser } from '../audit/user-chain.js';
import type { Database } from '../database/database.js';
import type { ContextProposalEntity } from '../entities/user-context.entity.js';
import { applyContextPlan, type ContextDependencies } from './apply-context-plan.js';
import { loadContextBasis } from './load-context-basis.js';

/**
 * Ends the expired proposals of all tenants, of those users to whom the `limit` proposals belong that expired first.
 * Returns how many ended; `isComplete` when none was found. `shouldContinue` is called before each user.
 */
export async function expireProposals(
  database: Database,
  { limit, shouldContinue }: { limit: number; shouldContinue: () => boolean },
  dependencies: ContextDependencies,
): Promise<{ ended: number; isComplete: boolean }> {
  const now = dependencies.clock.now();
  const nextId = () => dependencies.ids.next();
  const due = await database.callAcrossTenants<Pick<ContextProposalEntity, 'tenant_id' | 'user_id'>>(
    'find_expired_proposals($1, $2)',
    [new Date(now), limit],
  );
  let ended = 0;
  for (const { tenant_id, user_id: userId } of due) {
    if (!shouldContinue()) return { ended, isComplete: false };
    ended += await database.inTenant(tenant_id, async (tx) => {
      await lockUser(tx, userId, now);
      const basis = await loadContextBasis(tx, userId, nextId);
      const plan = planExpiry(basis, { now, nextId });
      await applyContextPlan(tx, { userId, actor: 'retention', basis, plan }, dependencies);
      return plan.proposals.length;
    });
  }
  return { ended, isComplete: due.length === 0 };
}
