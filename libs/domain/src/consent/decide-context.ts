import type { PutUserContext } from '@annals/contracts';
import { type ContextBasis, ContextDraft, type ContextPlan } from './context-draft.js';
import type { SingleField } from './types.js';
import { makeValueKey } from './value-key.js';

interface DecisionTime {
  /** Epoch ms. */
  readonly now: number;
  readonly nextId: () => string;
}

const SINGLE_FIELDS: readonly SingleField[] = ['preferred_name', 'pronouns', 'city', 'language', 'tone'];

/** Plans an edit in a settings page, which is the person's consent from `now` on. */
export function planEdit(basis: ContextBasis, edit: PutUserContext, { now, nextId }: DecisionTime): ContextPlan {
  const draft = new ContextDraft(basis, now, nextId);
  for (const field of SINGLE_FIELDS) {
    const value = edit[field];
    if (value === undefined) continue;
    if ((draft.current(field)?.value ?? null) !== value) draft.apply(field, value, now, 'ui');
    draft.resolvePending(field, value, now, 'ui');
  }
  if (edit.goals !== undefined) {
    draft.replaceGoals(edit.goals, 'ui');
    for (const goal of edit.goals) draft.resolvePending('goals_add', goal, now, 'ui');
  }
  return draft.finish();
}

/** Plans the person's answer to a proposal; null when the proposal is no longer pending or has expired. */
export function planDecision(
  basis: ContextBasis,
  proposalId: string,
  answer: 'accept' | 'reject',
  { now, nextId }: DecisionTime,
): ContextPlan | null {
  const draft = new ContextDraft(basis, now, nextId);
  const proposal = draft.get(proposalId);
  if (proposal?.state !== 'pending') return null;
  const { field, value, key } = proposal;
  if (answer === 'reject') {
    draft.decide(proposal, 'rejected', now, 'ui');
    return draft.finish();
  }
  const isCurrentValue =
    field === 'goals_add'
      ? draft.currentGoals().some((goal) => makeValueKey(field, goal.value) === key)
      : draft.current(field)?.value === value;
  if (!isCurrentValue) draft.apply(field, value, now, 'ui', proposal);
  draft.resolvePending(field, value, now, 'ui');
  return draft.finish();
}

/** Expires the proposals whose `expiresAt` is over. */
export function planExpiry(basis: ContextBasis, { now, nextId }: DecisionTime): ContextPlan {
  return new ContextDraft(basis, now, nextId).finish();
}
