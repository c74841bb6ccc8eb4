import type { Proposal, UserContext } from '@annals/contracts';
import { planDecision } from '@annals/domain';
import { lockUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import { applyContextPlan, type ContextDependencies } from './apply-context-plan.js';
import { loadContextBasis } from './load-context-basis.js';
import { findProposal, getUserContext } from './read-context.js';

export type DecideProposalResult =
  | { readonly outcome: 'decided'; readonly proposal: Proposal; readonly context: UserContext }
  | { readonly outcome: 'not_pending'; readonly state: Proposal['state'] };

/** Decides a proposal with a person's answer. An expired proposal is never applied. */
export async function decideProposal(
  tx: Tx,
  command: { userId: string; proposalId: string; answer: 'accept' | 'reject'; actor: string },
  dependencies: ContextDependencies,
): Promise<DecideProposalResult> {
  const { userId, proposalId, answer, actor } = command;
  const now = dependencies.clock.now();
  const nextId = () => dependencies.ids.next();
  await lockUser(tx, userId, now);
  const basis = await loadContextBasis(tx, userId, nextId);
  const plan = planDecision(basis, proposalId, answer, { now, nextId });
  if (plan) await applyContextPlan(tx, { userId, actor, basis, plan }, dependencies);
  const [proposal, context] = await allOf([findProposal(tx, proposalId, now), getUserContext(tx, userId)]);
  return plan
    ? { outcome: 'decided', proposal: proposal!, context }
    : { outcome: 'not_pending', state: proposal?.state ?? 'expired' };
}
