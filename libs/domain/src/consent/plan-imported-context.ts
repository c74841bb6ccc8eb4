import { type ContextField, MAX_GOALS } from '@annals/contracts';
import { type ContextBasis, ContextDraft, type ContextPlan, type PlanTime } from './context-draft.js';
import type { SettingField, SingleField } from './types.js';
import { makeValueKey } from './value-key.js';

/** A value of a user context that comes from another system; null: the person cleared it there. */
export type ContextValue =
  | { readonly field: SingleField | SettingField; readonly value: string | null }
  | { readonly field: 'goals'; readonly value: string };

/** `since`: the time that it holds since there, epoch ms. */
export type ImportedContextValue = ContextValue & { readonly since: number };

/** `newer_value`: something else was decided here later. */
export type ImportedValueOutcome = 'taken' | 'already_there' | 'newer_value' | 'too_many_goals';

/** Plans values that a person has consented to elsewhere: each from then on, if nothing here is newer. */
export function planImportedContext(
  basis: ContextBasis,
  values: readonly ImportedContextValue[],
  time: PlanTime,
): ContextPlan & { readonly outcomes: readonly ImportedValueOutcome[] } {
  const draft = new ContextDraft(basis, time);
  const outcomes = values.map(({ since, ...stated }): ImportedValueOutcome => {
    if (stated.field === 'goals') return addGoal(draft, stated.value, since);
    const { field, value } = stated;
    const current = draft.current(field);
    if (current && makeValueKey(field, current.value) === makeValueKey(field, value)) return 'already_there';
    if (current && current.since >= since) return 'newer_value';
    apply(draft, field, value, since);
    return 'taken';
  });
  return { ...draft.finish(), outcomes };
}

function addGoal(draft: ContextDraft, value: string, since: number): ImportedValueOutcome {
  if (draft.hasGoal(makeValueKey('goals_add', value))) return 'already_there';
  if (draft.currentGoals().length >= MAX_GOALS) return 'too_many_goals';
  apply(draft, 'goals_add', value, since);
  return 'taken';
}

function apply(draft: ContextDraft, field: ContextField | SettingField, value: string | null, since: number): void {
  draft.apply(field, value, since, 'import');
  if (field !== 'insights') draft.resolvePending(field, value, since, 'import');
}
