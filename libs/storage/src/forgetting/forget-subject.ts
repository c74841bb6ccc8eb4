import { countAppMemoriesOf } from '../app-memories/withdraw-app-memories.js';
import { lockExistingUser } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
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
  /** `counts`: what went, or would; `named`: what the plan names, as it was. */
  | {
      readonly outcome: 'forgotten' | 'previewed';
      readonly plan: UserForgettingPlan;
      readonly named: NamedRows;
      readonly counts: ForgettingCounts;
    };

type NamedMemory = Pick<MemoryEntity, 'id' | 'category' | 'type' | 'content'>;
type NamedTurn = Pick<MessageEntity, 'id' | 'conversation_id' | 'content'>;

/** By their ids. */
interface NamedRows {
  readonly memories: ReadonlyMap<string, NamedMemory>;
  readonly turns: ReadonlyMap<string, NamedTurn>;
}

/** What would go, without changing anything. */
export async function previewForgetting(tx: Tx, question: ForgettingQuestion): Promise<ForgetSubjectResult> {
  const planned = await planUserForgetting(tx, question);
  if (planned.outcome !== 'planned') return planned;
  const { plan } = planned;
  tx.allowBulk();
  const named = await readNamed(tx, plan);
  return { outcome: 'previewed', plan, named, counts: await countAhead(tx, question.userId, plan, named) };
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
  tx.allowBulk();
  const named = await readNamed(tx, plan);
  if (plan.memoryIds.length + plan.cuts.length + plan.others.length === 0) {
    return { outcome: 'forgotten', plan, named, counts: { memories: [], summaries: 0, relations: 0, appMemories: 0 } };
  }
  const counts = await carryOutForgetting(tx, { userId, actor, ...plan }, dependencies);
  return { outcome: 'forgotten', plan, named, counts };
}

async function readNamed(tx: Tx, { memoryIds, cuts, still }: UserForgettingPlan): Promise<NamedRows> {
  const stillIds = (wanted: (typeof still)[number]['kind']) =>
    still.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const [memories, turns] = await allOf([
    tx.query<NamedMemory>('SELECT id, category, type, content FROM memories WHERE id = ANY ($1)', [
      [...memoryIds, ...stillIds('memory')],
    ]),
    tx.query<NamedTurn>('SELECT id, conversation_id, content FROM messages WHERE id = ANY ($1)', [
      [...cuts.map(({ messageId }) => messageId), ...stillIds('turn')],
    ]),
  ]);
  return {
    memories: new Map(memories.map((memory) => [memory.id, memory])),
    turns: new Map(turns.map((turn) => [turn.id, turn])),
  };
}

async function countAhead(
  tx: Tx,
  userId: string,
  plan: UserForgettingPlan,
  { memories }: NamedRows,
): Promise<ForgettingCounts> {
  const messageIds = plan.cuts.map(({ messageId }) => messageId);
  const sentences = plan.others.flatMap((other) => (other.kind === 'summary' ? [other] : []));
  const named = plan.others.flatMap((other) => (other.kind === 'app_memory' ? [other.id] : []));
  const [summaries, relations, appMemories] = await allOf([
    countSentences(tx, userId, { messageIds, sentences }),
    countRelations(tx, plan.memoryIds),
    countAppMemoriesOf(tx, { messageIds, memoryIds: named }),
  ]);
  return { memories: plan.memoryIds.flatMap((id) => memories.get(id) ?? []), summaries, relations, appMemories };
}
