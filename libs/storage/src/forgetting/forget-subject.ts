import { countAppMemoriesOf } from '../app-memories/withdraw-app-memories.js';
import { lockExistingUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { countRelations } from '../relations/count-relations.js';
import { countSentences } from '../summaries/drop-sentences.js';
import { carryOutForgetting, type ForgettingCounts } from './carry-out-forgetting.js';
import {
  type ForgettingQuestion,
  planUserForgetting,
  type UserForgettingOutcome,
  type UserForgettingPlan,
} from './plan-user-forgetting.js';

export type ForgetSubjectResult =
  | Exclude<UserForgettingOutcome, { outcome: 'planned' }>
  /** `counts`: what went, or would. */
  | {
      readonly outcome: 'forgotten' | 'previewed';
      readonly plan: UserForgettingPlan;
      readonly counts: ForgettingCounts;
    };

/** What would go, without changing anything. */
export async function previewForgetting(tx: Tx, question: ForgettingQuestion): Promise<ForgetSubjectResult> {
  const planned = await planUserForgetting(tx, question);
  if (planned.outcome !== 'planned') return planned;
  const { plan } = planned;
  return { outcome: 'previewed', plan, counts: await countAhead(tx, question.userId, plan) };
}

/** Forgets what a request names for good, all or nothing (docs/reference/forgetting.md#what-goes). */
export async function forgetSubject(
  tx: Tx,
  { actor, ...question }: ForgettingQuestion & { readonly actor: string },
  dependencies: WriteDependencies,
): Promise<ForgetSubjectResult> {
  const { userId } = question;
  // First of all: nobody writes anything of the user between the plan and its end.
  await lockExistingUser(tx, userId);
  const planned = await planUserForgetting(tx, question);
  if (planned.outcome !== 'planned') return planned;
  const { plan } = planned;
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
  const [summaries, relations, appMemories] = await allOf([
    countSentences(tx, userId, { messageIds, sentences }),
    countRelations(tx, plan.memoryIds),
    countAppMemoriesOf(tx, { messageIds, memoryIds: named }),
  ]);
  return { memoryIds: plan.memoryIds, summaries, relations, appMemories };
}
