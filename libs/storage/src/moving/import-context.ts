import type { ImportedValue } from '@annals/contracts';
import { type ImportedValueOutcome, planImportedContext } from '@annals/domain';
import type { ChainDependencies } from '../audit/user-chain.js';
import { changeLockedContext } from '../context/context-plan.js';
import type { Tx } from '../database/transaction.js';
import { findKeyedDeletions, keyedSubject } from '../deletions/note-deletion.js';
import { ERASED, FORGOTTEN, isErased, type RecordsToImport, type Refusal, type ValueToImport } from './import-input.js';

const REFUSALS: Readonly<Record<Extract<ImportedValueOutcome, 'newer_value' | 'too_many_goals'>, Refusal>> = {
  newer_value: {
    code: 'newer_value',
    detail: 'Something else was decided here later. Set it with PUT /v1/users/{user_id}/context if it is to change.',
  },
  too_many_goals: {
    code: 'too_many_goals',
    detail: 'The user has as many goals here as can be stored: remove one, and send it again.',
  },
};

/** Values that a person stated elsewhere. What they decided here later, took back or had erased stays so. Locks nothing. */
export async function importContext(
  tx: Tx,
  { userId, actor, values }: Pick<RecordsToImport, 'userId' | 'actor' | 'values'>,
  { erasedAt }: { readonly erasedAt: number | null },
  dependencies: ChainDependencies,
): Promise<ImportedValue[]> {
  if (values.length === 0) return [];
  const takenBackAt = await findGoalsTakenBack(tx, userId, values);
  const judged = values.map((value) => {
    const since = Date.parse(value.since);
    const isForgotten = value.field === 'goals' && since <= takenBackAt(value.value);
    const deletion = isErased(value.since, erasedAt) ? ERASED : isForgotten ? FORGOTTEN : null;
    return { ...value, since, refusal: value.refusal ?? deletion };
  });
  const accepted = judged.filter(({ refusal }) => refusal === null);
  const { outcomes } =
    accepted.length === 0
      ? { outcomes: [] }
      : await changeLockedContext(
          tx,
          { userId, actor },
          (basis, time) => planImportedContext(basis, accepted, time),
          dependencies,
        );
  const planned = outcomes.values();
  return judged.map(({ field, refusal }) => ({ field, ...answer(refusal ?? planned.next().value!) }));
}

function answer(result: Refusal | ImportedValueOutcome): Pick<ImportedValue, 'outcome' | 'code' | 'detail'> {
  if (result === 'taken' || result === 'already_there') return { outcome: result };
  return { outcome: 'refused', ...(typeof result === 'string' ? REFUSALS[result] : result) };
}

/** Epoch ms at which a goal was last taken back here in the same words; -Infinity: never. */
async function findGoalsTakenBack(
  tx: Tx,
  userId: string,
  values: readonly ValueToImport[],
): Promise<(goal: string) => number> {
  const subjectOf = (goal: string) => keyedSubject(tx, 'context_goal', [userId, goal]);
  const goals = values.flatMap((stated) => (stated.field === 'goals' ? [stated.value] : []));
  const deletions = await findKeyedDeletions(tx, goals.map(subjectOf));
  return (goal) => deletions.get(subjectOf(goal)) ?? -Infinity;
}
