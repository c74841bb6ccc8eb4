import type { Config } from '@annals/config';
import type { ExtractedItem } from '@annals/contracts';
import type { InvalidSentence } from '@annals/llm-core';
import { type BatchAttempt, type ClaimedBatch, type Infrastructure, toBudgetDay } from '@annals/runtime';
import { countCalls } from '@annals/storage';
import type { ModelAnswer } from './call-model/model-answer.js';
import type { CategoryPrompt } from './category-prompt.js';
import type { FollowUpRequest } from './request-once.js';
import { type BatchTurns, selectExcerpt } from './build-request.js';
import { assignCategories, type CategoryAssignmentReport } from './assign-categories.js';
import { findLongTurns, findMissedTurns, selectBestOfTurns } from './multi-fact/choose-turns.js';
import { findMoreFacts } from './multi-fact/find-more-facts.js';
import { arrangeItems, refineAnswer } from './refine-answer.js';
import { repairWriting, type WritingReport } from './writing/repair-writing.js';
import { type Rewrite, rewriteSentences } from './writing/rewrite-sentences.js';

/** Timeout of a follow-up call, in ms; with less than the minimum left, no call is made. */
const MAX_CALL_MS = 30_000;
const MIN_CALL_MS = 3_000;

export interface RepairDependencies {
  readonly infrastructure: Pick<Infrastructure, 'modelCalls' | 'database' | 'clock'>;
  readonly config: Config<'llm' | 'multiFact'>;
}

export interface AnswerToRepair {
  readonly batch: ClaimedBatch;
  readonly modelAnswer: ModelAnswer;
  readonly turns: BatchTurns;
  readonly categoryPrompt: CategoryPrompt;
  /** Deadline of follow-up calls, by performance.now(). */
  readonly endsMs: number;
  readonly attempt: Pick<BatchAttempt, 'signal' | 'withoutSlot'>;
}

/**
 * Result of the second pass over long turns (docs/reference/extraction.md#second-extraction-pass-for-long-messages):
 * numbers and a reason code, no content.
 */
interface MultiFactReport {
  readonly turns: number;
  readonly candidates: number;
  readonly added: number;
  /** Why the second pass was skipped or failed, or null. */
  readonly skippedReason: string | null;
}

/** The memories of an answer that are written, and reports of how they were derived. */
export interface RepairedAnswer {
  readonly items: readonly ExtractedItem[];
  readonly writing: WritingReport;
  readonly multiFact: MultiFactReport | null;
  readonly categoryAssignment: CategoryAssignmentReport | null;
}

/**
 * Turns an answer into the memories to write: checks their grounding, runs the second pass over long turns with too few
 * memories, and applies the writing constraints (docs/reference/writing-constraints.md#rewrite-trim-reject). Makes at
 * most two further calls, which are short and rare. If they fail, the answer is written without them.
 */
export async function repairAnswer(deps: RepairDependencies, answer: AnswerToRepair): Promise<RepairedAnswer> {
  const { messages } = answer.turns;
  const found = refineAnswer(answer.modelAnswer.answer.memories, messages);
  const { items: completed, report: multiFact } = await findMissedFacts(deps, answer, found);
  // Items of the local provider and procedures are created by rules.
  const isOfRules = ({ type }: ExtractedItem) => answer.modelAnswer.call === null || type === 'procedural';
  const { items, report: categoryAssignment } = assignCategories(
    completed,
    answer.categoryPrompt.categories,
    isOfRules,
  );
  const rewrite = async (broken: readonly InvalidSentence[]): Promise<Rewrite> => {
    const followUp = openFollowUp(deps, answer);
    return typeof followUp === 'string' ? { answered: false, why: followUp } : rewriteSentences(followUp, broken);
  };
  const repaired = await repairWriting(items, messages, rewrite);
  return { items: arrangeItems(repaired.items, messages), writing: repaired.report, multiFact, categoryAssignment };
}

async function findMissedFacts(
  deps: RepairDependencies,
  answer: AnswerToRepair,
  found: readonly ExtractedItem[],
): Promise<{ items: readonly ExtractedItem[]; report: MultiFactReport | null }> {
  const { messages } = answer.turns;
  const long = findLongTurns(selectExcerpt(answer.turns).messages, deps.config.multiFact);
  const missed = answer.modelAnswer.call ? findMissedTurns(long, found) : [];
  if (missed.length === 0) return { items: found, report: null };
  const followUp = openFollowUp(deps, answer);
  const refusal = typeof followUp === 'string' ? followUp : await checkDailyCap(deps, answer.batch);
  if (typeof followUp === 'string' || refusal !== null) {
    return { items: found, report: { turns: missed.length, candidates: 0, added: 0, skippedReason: refusal } };
  }
  const more = await findMoreFacts(followUp, missed, answer.categoryPrompt.template);
  const candidates = more.answered ? refineAnswer(more.value, messages) : [];
  const added = selectBestOfTurns(candidates, missed);
  return {
    items: arrangeItems([...found, ...added], messages),
    report: {
      turns: missed.length,
      candidates: candidates.length,
      added: added.length,
      skippedReason: more.answered ? null : more.why,
    },
  };
}

/** The request of a follow-up call, or why none can be made. The local provider is never called again. */
function openFollowUp(
  { infrastructure: { modelCalls }, config: { llm } }: RepairDependencies,
  { batch, modelAnswer, endsMs, attempt }: AnswerToRepair,
): FollowUpRequest | string {
  const timeoutMs = Math.min(llm.timeoutMs, MAX_CALL_MS, Math.floor(endsMs - performance.now()));
  if (!modelAnswer.call || !modelCalls) return 'no_model';
  if (timeoutMs < MIN_CALL_MS) return 'no_time';
  const { signal, withoutSlot } = attempt;
  const { maxOutputTokens } = llm;
  return { modelCalls, provider: modelAnswer.provider, batch, maxOutputTokens, timeoutMs, signal, withoutSlot };
}

/**
 * `capped` when the user's daily number of second passes is reached
 * (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 */
async function checkDailyCap(
  { infrastructure: { database, clock }, config: { multiFact } }: RepairDependencies,
  { tenantId, userId }: ClaimedBatch,
): Promise<string | null> {
  try {
    const day = toBudgetDay(clock.now());
    const calls = await database.readTenant(tenantId, (tx) => countCalls(tx, { userId, operation: 'multi_fact', day }));
    return calls >= multiFact.dailyCalls ? 'capped' : null;
  } catch {
    // The answer is paid for, so it is written without a second pass.
    return 'unavailable';
  }
}
