import { type ForgetRequest, pauseInTransaction } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { countRelations } from '../relations/count-relations.js';
import { countSentences } from '../summaries/drop-sentences.js';
import { carryOutForgetting, type ForgettingCounts } from './carry-out-forgetting.js';
import { planUserForgetting, type UserForgettingOutcome, type UserForgettingPlan } from './plan-user-forgetting.js';

interface ForgetSubjectCommand {
  readonly userId: string;
  readonly request: ForgetRequest;
  readonly actor: string;
  /** The digest of the plan that may be carried out; null: any. */
  readonly expectedDigest: string | null;
}

export type ForgetSubjectResult =
  | Exclude<UserForgettingOutcome, { outcome: 'planned' }>
  | { readonly outcome: 'plan_changed' }
  /** `counts`: what went, or would. */
  | {
      readonly outcome: 'forgotten' | 'previewed';
      readonly plan: UserForgettingPlan;
      readonly counts: ForgettingCounts;
    };

/** What would go, without changing anything. */
export async function previewForgetting(
  tx: Tx,
  { userId, request, expectedDigest }: Omit<ForgetSubjectCommand, 'actor'>,
): Promise<ForgetSubjectResult> {
  const outcome = await planUserForgetting(tx, { userId, request }, pauseInTransaction);
  if (outcome.outcome === 'ambiguous') return outcome;
  const { plan } = outcome;
  if (expectedDigest !== null && expectedDigest !== plan.digest) return { outcome: 'plan_changed' };
  return { outcome: 'previewed', plan, counts: await countAhead(tx, userId, plan) };
}

/** Forgets what a request names for good, all or nothing (docs/reference/forgetting.md#what-goes). */
export async function forgetSubject(
  tx: Tx,
  { userId, request, actor, expectedDigest }: ForgetSubjectCommand,
  dependencies: WriteDependencies,
): Promise<ForgetSubjectResult> {
  // First of all: nobody writes anything of the user between the plan and its end.
  await lockExistingUser(tx, userId);
  const outcome = await planUserForgetting(tx, { userId, request }, pauseInTransaction);
  if (outcome.outcome === 'ambiguous') return outcome;
  const { plan } = outcome;
  if (expectedDigest !== null && expectedDigest !== plan.digest) return { outcome: 'plan_changed' };
  if (plan.memoryIds.length + plan.cuts.length + plan.others.length === 0) {
    return { outcome: 'forgotten', plan, counts: { memoryIds: [], summaries: 0, relations: 0, appMemories: 0 } };
  }
  const counts = await carryOutForgetting(tx, { userId, actor, ...plan }, dependencies);
  return { outcome: 'forgotten', plan, counts };
}

async function countAhead(tx: Tx, userId: string, plan: UserForgettingPlan): Promise<ForgettingCounts> {
  const messageIds = plan.cuts.map(({ messageId }) => messageId);
  const sentences = plan.others.flatMap((other) => (other.kind === 'summary' ? [other] : []));
  const named = plan.others.flatMap((other) => (other.kind === 'app_memory' ? [other.id] : []));
  const [summaries, relations, [apps]] = await allOf([
    countSentences(tx, userId, { messageIds, sentences }),
    countRelations(tx, plan.memoryIds),
    tx.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM app_memories m
        WHERE m.id = ANY ($2) OR m.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.message_id = ANY ($1))`,
      [messageIds, named],
    ),
  ]);
  return { memoryIds: plan.memoryIds, summaries, relations, appMemories: apps!.count };
}
