import type { PutUserContext, UserContext } from '@annals/contracts';
import { planEdit } from '@annals/domain';
import { lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { applyContextPlan, type ContextDependencies } from './apply-context-plan.js';
import { loadContextBasis } from './load-context-basis.js';
import { getUserContext } from './read-context.js';

/** `conflict`: the expected revision is not the current one. */
export type EditContextResult =
  | { readonly outcome: 'edited'; readonly context: UserContext }
  | { readonly outcome: 'conflict'; readonly revision: number };

/** Sets values that a person states directly. `expectedRevision`: null edits without a check. */
export async function editUserContext(
  tx: Tx,
  command: { userId: string; actor: string; edit: PutUserContext; expectedRevision: number | null },
  dependencies: ContextDependencies,
): Promise<EditContextResult> {
  const { userId, actor, edit, expectedRevision } = command;
  const now = dependencies.clock.now();
  const nextId = () => dependencies.ids.next();
  await lockUser(tx, userId, now);
  const basis = await loadContextBasis(tx, userId, nextId);
  const { revision } = basis.context;
  if (expectedRevision !== null && expectedRevision !== revision) return { outcome: 'conflict', revision };
  const plan = planEdit(basis, edit, { now, nextId });
  await applyContextPlan(tx, { userId, actor, basis, plan }, dependencies);
  return { outcome: 'edited', context: await getUserContext(tx, userId) };
}
