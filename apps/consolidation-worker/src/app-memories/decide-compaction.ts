import {
  checkCompaction,
  type CompactionDecision,
  type CompactionInput,
  type CompactionPlan,
  ENERGY_PRICES,
  needsCompaction,
  planCompaction,
  planFifo,
} from '@annals/domain';
import {
  buildCompactionPrompt,
  describeCompactionProblem,
  type LLMErrorType,
  MAX_COMPACTION_OUTPUT_TOKENS,
  parseCompaction,
} from '@annals/llm-core';
import { compactLocally } from '@annals/local-provider';
import { type JobAttempt, type MindCaller, type MindRun, type MindSetback, rejectAnswer } from '@annals/runtime';

export type CompactionFailure = LLMErrorType | 'invalid_answer' | 'pool_changed';

/** What is to be done about eleven memories, before their pool is locked. */
export type PoolDecision =
  | { readonly by: 'rules' }
  /** `shown`: the memories that were decided about. */
  | { readonly by: 'model'; readonly decision: CompactionDecision; readonly shown: CompactionInput }
  /** No decision could be had. */
  | { readonly by: 'age'; readonly failure: CompactionFailure | null };

/** What is done about them. `action`: as in metrics and log lines. */
export interface CarriedOut {
  readonly action: CompactionDecision['action'] | 'fifo';
  readonly plan: CompactionPlan;
  readonly failure: CompactionFailure | null;
}

/** Asks a model which one of eleven goes (docs/reference/app-memories.md#one-decision). A failure means the oldest. */
export async function decideByModel(
  shown: CompactionInput,
  { caller, ...limits }: { readonly run: MindRun; readonly caller: MindCaller; readonly timeLimitMs: number },
  { signal, withoutSlot }: JobAttempt,
): Promise<PoolDecision | Extract<MindSetback, { outcome: 'wait' }>> {
  const prompt = buildCompactionPrompt(shown);
  const answer = await caller.call({
    ...limits,
    operation: 'app_compaction',
    task: 'compact_app_memories',
    prompt,
    maxOutputTokens: MAX_COMPACTION_OUTPUT_TOKENS,
    energy: ENERGY_PRICES.app_compaction,
    signal,
    withoutSlot,
    parse: (text) => parseCompaction(text, prompt),
    describeProblem(decision) {
      const fault = checkCompaction(decision, shown);
      return fault && describeCompactionProblem(fault);
    },
  });
  if (answer.outcome === 'wait') return answer;
  if (answer.outcome === 'failed') return { by: 'age', failure: answer.code };
  if (answer.problem !== null) return rejectAnswer(limits.run, answer) ?? { by: 'age', failure: 'invalid_answer' };
  return { by: 'model', decision: answer.value, shown };
}

/**
 * What is carried out, of the pool as it is under its lock; null while there is room. A decision about memories that are
 * not the same any more is not: then the oldest goes.
 */
export function settlePool(decision: PoolDecision, pool: CompactionInput): CarriedOut | null {
  const memories = [...pool.current, pool.fresh];
  if (!needsCompaction(memories)) return null;
  const decided = fitDecision(decision, pool);
  if (decided) return { action: decided.action, plan: planCompaction(decided, pool), failure: null };
  return { action: 'fifo', plan: planFifo(memories), failure: explainFailure(decision) };
}

function explainFailure(decision: PoolDecision): CompactionFailure | null {
  if (decision.by === 'age') return decision.failure;
  return decision.by === 'model' ? 'pool_changed' : null;
}

/** Null when it does not bring the pool back to ten. */
function fitDecision(decision: PoolDecision, pool: CompactionInput): CompactionDecision | null {
  const goesBackToTen = !needsCompaction(pool.current);
  if (decision.by === 'age' || !goesBackToTen) return null;
  if (decision.by === 'rules') return findFit(compactLocally(pool), pool);
  const { decision: decided, shown } = decision;
  const readTarget = ({ current, fresh }: CompactionInput) =>
    [...current, fresh].find(({ id }) => id === decided.targetId)?.content;
  return readTarget(shown) === readTarget(pool) ? findFit(decided, pool) : null;
}

function findFit(decision: CompactionDecision, pool: CompactionInput): CompactionDecision | null {
  return checkCompaction(decision, pool) === null ? decision : null;
}
