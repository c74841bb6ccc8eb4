import type { Config } from '@annals/config';
import type { ExtractedItem, ExtractedMemory } from '@annals/contracts';
import { buildExtractionPrompt, type ConversationMessage, parseAnswer, type PromptTemplate } from '@annals/llm-core';
import { type ClaimedBatch, type Infrastructure, toBudgetDay } from '@annals/runtime';
import { countCalls } from '@annals/storage';
import { arrangeItems } from '../arrange-items.js';
import { type FollowUp, type FollowUpAnswer, requestOnce } from '../call-model/request-once.js';
import { type BatchMessage, groundAnswer } from '../ground/ground-answer.js';
import { findMissedTurns, selectBestOfTurns } from './choose-turns.js';

/** Expected output per turn: at most five memories with their evidence. */
const TOKENS_PER_TURN = 600;

export interface SecondPassDependencies {
  readonly infrastructure: Pick<Infrastructure, 'database' | 'clock'>;
  readonly config: Config<'multiFact'>;
}

export interface SecondPassInput {
  /** The items of the first pass. */
  readonly found: readonly ExtractedItem[];
  /** Turns that are long enough to contain several facts. */
  readonly longTurns: readonly ConversationMessage[];
  /** The messages of the batch, in order. */
  readonly messages: readonly BatchMessage[];
  readonly template: PromptTemplate;
  readonly followUp: FollowUp;
}

/**
 * Result of the second pass over long turns (docs/reference/extraction.md#second-extraction-pass-for-long-messages):
 * numbers and a reason code, no content.
 */
export interface MultiFactReport {
  readonly turns: number;
  readonly candidates: number;
  readonly added: number;
  /** Why the second pass was skipped or failed, or null. */
  readonly skippedReason: string | null;
}

/**
 * Second pass over long turns, all in one call (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 * If it cannot be made, or fails, the items of the first pass are returned. Never throws.
 */
export async function findMissedFacts(
  deps: SecondPassDependencies,
  input: SecondPassInput,
): Promise<{ items: readonly ExtractedItem[]; report: MultiFactReport | null }> {
  const { found, longTurns, messages } = input;
  const missed = findMissedTurns(longTurns, found);
  if (missed.length === 0) return { items: found, report: null };
  const more = await requestMoreFacts(deps, missed, input);
  const candidates = more.answered ? groundAnswer(more.value, messages) : [];
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

/** Uses the prompt of the first pass, whose prefix the provider has cached, with only these turns as messages. */
async function requestMoreFacts(
  deps: SecondPassDependencies,
  missed: readonly ConversationMessage[],
  { template, followUp }: SecondPassInput,
): Promise<FollowUpAnswer<readonly ExtractedMemory[]>> {
  const prompt = buildExtractionPrompt({
    excerpt: { messages: missed, context: [] },
    longIds: new Set(missed.map(({ id }) => id)),
    template,
  });
  return requestOnce(followUp, {
    operation: 'multi_fact',
    task: 'extract_memories',
    prompt,
    findRefusal: () => checkDailyCap(deps, followUp.batch),
    expectedOutputTokens: missed.length * TOKENS_PER_TURN,
    read: ({ text, finishReason }) =>
      parseAnswer(text, { truncated: finishReason === 'length', messageIds: prompt.messageIds }).memories,
  });
}

/**
 * `capped` when the user's daily number of second passes is reached
 * (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 */
async function checkDailyCap(
  { infrastructure: { database, clock }, config: { multiFact } }: SecondPassDependencies,
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
