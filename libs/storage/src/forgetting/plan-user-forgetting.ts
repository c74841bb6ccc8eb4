import { createHash } from 'node:crypto';
import {
  type ForgettingOutcome,
  type ForgettingPlan,
  type ForgetRequest,
  pauseInTransaction,
  planForgetting,
  runInSlices,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { loadForgettable, type OtherText, type StoredTexts } from './load-forgettable.js';

/** A plan for one user, with what it was made from. */
export interface UserForgettingPlan extends Omit<ForgettingPlan, 'others'> {
  /** Stands for all that goes: 32 hex digits. */
  readonly digest: string;
  readonly others: readonly OtherText[];
  readonly stored: StoredTexts;
}

/** What is to be forgotten. */
export interface ForgettingQuestion {
  readonly userId: string;
  readonly request: ForgetRequest;
  /** The digest of the only plan that is wanted; null: any. */
  readonly expectedDigest: string | null;
}

export type UserForgettingOutcome =
  | Exclude<ForgettingOutcome, { outcome: 'planned' }>
  | { readonly outcome: 'plan_changed' }
  | { readonly outcome: 'planned'; readonly plan: UserForgettingPlan };

/** What goes of a user by a request, without changing anything. */
export async function planUserForgetting(
  tx: Tx,
  { userId, request, expectedDigest }: ForgettingQuestion,
): Promise<UserForgettingOutcome> {
  const stored = await loadForgettable(tx, userId);
  const outcome = await runInSlices(planForgetting(request, stored), pauseInTransaction);
  if (outcome.outcome !== 'planned') return outcome;
  const others = outcome.plan.others.map((key) => stored.byKey.get(key)!);
  const digest = digestOf(outcome.plan, others);
  if (expectedDigest !== null && expectedDigest !== digest) return { outcome: 'plan_changed' };
  return { outcome: 'planned', plan: { ...outcome.plan, others, digest, stored } };
}

function digestOf({ memoryIds, cuts }: ForgettingPlan, others: readonly OtherText[]): string {
  const text = JSON.stringify([
    memoryIds.toSorted(),
    cuts.map(({ messageId, cut }) => `${messageId} ${JSON.stringify(cut)}`).toSorted(),
    others.map(({ kind, text: words }) => `${kind} ${createHash('sha256').update(words).digest('hex')}`).toSorted(),
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
