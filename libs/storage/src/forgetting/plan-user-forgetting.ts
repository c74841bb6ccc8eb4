import { createHash } from 'node:crypto';
import { type ForgettingOutcome, type ForgettingPlan, type ForgetRequest, planForgetting } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { openForgettable, type OtherText } from './forgettable-texts.js';

/** A plan for one user. */
export interface UserForgettingPlan extends ForgettingPlan<OtherText> {
  /** Stands for all that goes: 32 hex digits. */
  readonly digest: string;
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
  const outcome = await planForgetting(request, openForgettable(tx, userId));
  if (outcome.outcome !== 'planned') return outcome;
  const digest = digestOf(outcome.plan);
  if (expectedDigest !== null && expectedDigest !== digest) return { outcome: 'plan_changed' };
  return { outcome: 'planned', plan: { ...outcome.plan, digest } };
}

function digestOf({ memoryIds, cuts, others }: ForgettingPlan<OtherText>): string {
  const text = JSON.stringify([
    memoryIds.toSorted(),
    cuts.map(({ messageId, cut }) => `${messageId} ${JSON.stringify(cut)}`).toSorted(),
    others.map(({ kind, text: words }) => `${kind} ${createHash('sha256').update(words).digest('hex')}`).toSorted(),
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
