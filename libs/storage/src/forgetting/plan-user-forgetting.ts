import { createHash } from 'node:crypto';
import { type ForgettingPlan, type ForgetRequest, type Pause, planForgetting, runInSlices } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { loadForgettable, type OtherText, type StoredTexts } from './load-forgettable.js';

/** A plan for one user, with what it was made from. */
export interface UserForgettingPlan extends Omit<ForgettingPlan, 'others'> {
  /** Stands for all that goes: 32 hex digits. */
  readonly digest: string;
  readonly others: readonly OtherText[];
  readonly stored: StoredTexts;
}

export type UserForgettingOutcome =
  | { readonly outcome: 'planned'; readonly plan: UserForgettingPlan }
  | Extract<ReturnTypeOfPlan, { outcome: 'ambiguous' }>;

type ReturnTypeOfPlan = ReturnType<typeof planForgetting> extends Generator<unknown, infer Result> ? Result : never;

/** What goes of a user by a request, without changing anything. */
export async function planUserForgetting(
  tx: Tx,
  { userId, request }: { readonly userId: string; readonly request: ForgetRequest },
  pause: Pause,
): Promise<UserForgettingOutcome> {
  const stored = await loadForgettable(tx, userId);
  const outcome = await runInSlices(planForgetting(request, stored), pause);
  if (outcome.outcome === 'ambiguous') return outcome;
  const { plan } = outcome;
  const others = plan.others.map((key) => stored.byKey.get(key)!);
  return { outcome: 'planned', plan: { ...plan, others, digest: digestOf(plan, others), stored } };
}

function digestOf({ memoryIds, cuts }: ForgettingPlan, others: readonly OtherText[]): string {
  const text = JSON.stringify([
    memoryIds.toSorted(),
    cuts.map(({ messageId, cut }) => `${messageId} ${JSON.stringify(cut)}`).toSorted(),
    others.map(({ kind, text: words }) => `${kind} ${createHash('sha256').update(words).digest('hex')}`).toSorted(),
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
