import type { Proposal, PutUserContext, UserContext } from '@annals/contracts';
import { planDecision, planEdit, planExpiry } from '@annals/domain';
import { type ChainDependencies, lockExistingUser } from '../audit/user-chain.js';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { ContextProposalEntity } from '../entities/user-context.entity.js';
import { changeContext } from './context-plan.js';
import { findProposal, getUserContext } from './read-context.js';

/** `conflict`: the expected revision is not the current one. */
export type EditContextResult =
  | { readonly outcome: 'edited'; readonly context: UserContext }
  | { readonly outcome: 'conflict'; readonly revision: number };

/** Sets values that a person states directly. `expectedRevision`: null edits without a check. */
export async function editUserContext(
  tx: Tx,
  command: { userId: string; actor: string; edit: PutUserContext; expectedRevision: number | null },
  dependencies: ChainDependencies,
): Promise<EditContextResult> {
  const { edit, expectedRevision } = command;
  let revision = 0;
  const plan = await changeContext(
    tx,
    command,
    (basis, options) => {
      revision = basis.context.revision;
      const isExpected = expectedRevision === null || expectedRevision === revision;
      return isExpected ? planEdit(basis, edit, options) : null;
    },
    dependencies,
  );
  if (!plan) return { outcome: 'conflict', revision };
  return { outcome: 'edited', context: await getUserContext(tx, command.userId) };
}

export type DecideProposalResult =
  | { readonly outcome: 'decided'; readonly proposal: Proposal; readonly context: UserContext }
  | { readonly outcome: 'not_pending'; readonly state: Proposal['state'] };

/** Decides a proposal with a person's answer. An expired proposal is never applied. */
export async function decideProposal(
  tx: Tx,
  command: { userId: string; proposalId: string; answer: 'accept' | 'reject'; actor: string },
  dependencies: ChainDependencies,
): Promise<DecideProposalResult> {
  const { userId, proposalId, answer } = command;
  const plan = await changeContext(
    tx,
    command,
    (basis, options) => planDecision(basis, proposalId, answer, options),
    dependencies,
  );
  const now = dependencies.clock.now();
  const [proposal, context] = await allOf([findProposal(tx, proposalId, now), getUserContext(tx, userId)]);
  return plan
    ? { outcome: 'decided', proposal: proposal!, context }
    : { outcome: 'not_pending', state: proposal?.state ?? 'expired' };
}

/**
 * Ends the expired proposals of all tenants, of those users to whom the `limit` proposals belong that expired first.
 * Returns how many ended; `isComplete` when none was found. `shouldContinue` is called before each user.
 */
export async function expireProposals(
  database: Database,
  { limit, shouldContinue }: { limit: number; shouldContinue: () => boolean },
  dependencies: ChainDependencies,
): Promise<{ ended: number; isComplete: boolean }> {
  const now = dependencies.clock.now();
  const due = await database.callAcrossTenants<Pick<ContextProposalEntity, 'tenant_id' | 'user_id'>>(
    'find_expired_proposals',
    [new Date(now), limit],
  );
  let ended = 0;
  for (const { tenant_id, user_id: userId } of due) {
    if (!shouldContinue()) return { ended, isComplete: false };
    const owner = { userId, actor: 'retention' };
    const plan = await database.inTenant(tenant_id, async (tx) => {
      const { user } = await lockExistingUser(tx, userId);
      return user && changeContext(tx, owner, planExpiry, dependencies);
    });
    ended += plan?.proposals.length ?? 0;
  }
  return { ended, isComplete: due.length === 0 };
}
