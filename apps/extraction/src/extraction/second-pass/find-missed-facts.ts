import type { ExtractedItem, ExtractedMemory } from '@annals/contracts';
import { runInSlices } from '@annals/domain';
import { buildExtractionPrompt, type ConversationMessage, parseAnswer, type PromptTemplate } from '@annals/llm-core';
import { arrangeItems } from '../arrange-items.js';
import { checkDailyCap } from '../call-model/daily-cap.js';
import { type FollowUp, type FollowUpAnswer, requestOnce } from '../call-model/request-once.js';
import { type BatchMessage, groundAnswer } from '../ground/ground-answer.js';
import type { BatchReading } from '../ground/read-batch.js';
import { countMemoriesOf, isMemoryOf, MAX_WRITES, type SecondPass, selectCandidates } from './best-of-turns.js';

/** Expected output per turn: at most five memories with their evidence. */
const TOKENS_PER_TURN = 600;
/** A long turn with at most this many memories gets a second pass. */
const MAX_MEMORIES_OF_MISSED_TURN = 1;

export interface SecondPassInput {
  /** The items of the first pass. */
  readonly found: readonly ExtractedItem[];
  readonly longTurns: readonly ConversationMessage[];
  /** The messages of the batch, in order. */
  readonly messages: readonly BatchMessage[];
  readonly reading: BatchReading;
  readonly template: PromptTemplate;
  readonly followUp: FollowUp;
}

/**
 * Second pass over long turns, all in one call (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 * If it cannot be made, or fails, the items of the first pass are returned. `limitTurns` applies the limit of a turn,
 * once it is known what can be written. Never throws.
 */
export async function findMissedFacts(
  input: SecondPassInput,
): Promise<{ items: readonly ExtractedItem[]; pass: SecondPass | null }> {
  const { found, longTurns, messages, reading, followUp } = input;
  const missed = findMissedTurns(longTurns, found);
  if (missed.length === 0) return { items: found, pass: null };
  const more = await requestMoreFacts(missed, input);
  const candidates = more.answered
    ? await runInSlices(groundAnswer(more.value, messages, reading), followUp.infrastructure.pause)
    : [];
  const turnIds = missed.map(({ id }) => id);
  const { selected, ignored } = selectCandidates(candidates, turnIds);
  return {
    items: arrangeItems([...found, ...selected], messages),
    pass: {
      turnIds,
      before: countMemoriesOf(found, turnIds),
      candidates: candidates.length,
      ignored,
      skippedReason: more.answered ? null : more.why,
    },
  };
}

/** Uses the prompt of the first pass, whose prefix the provider has cached, with only these turns as messages. */
async function requestMoreFacts(
  missed: readonly ConversationMessage[],
  { template, reading, followUp }: SecondPassInput,
): Promise<FollowUpAnswer<readonly ExtractedMemory[]>> {
  const prompt = buildExtractionPrompt({
    excerpt: { messages: missed, context: [] },
    user: reading.user,
    longIds: new Set(missed.map(({ id }) => id)),
    template,
  });
  return requestOnce(followUp, {
    operation: 'multi_fact',
    task: 'extract_memories',
    prompt,
    findRefusal: () => checkDailyCap(followUp, 'multi_fact', followUp.config.multiFact.dailyCalls),
    expectedOutputTokens: missed.length * TOKENS_PER_TURN,
    read: ({ text, finishReason }) =>
      parseAnswer(text, { truncated: finishReason === 'length', messageIds: prompt.messageIds }).memories,
  });
}

/** Turns of users that are long enough to contain several facts. `minLength` is in characters; 0 finds none. */
export function findLongTurns(
  messages: readonly ConversationMessage[],
  { minLength }: { readonly minLength: number },
): ConversationMessage[] {
  if (minLength === 0) return [];
  return messages.filter(({ role, content }) => role === 'user' && content.length > minLength);
}

/** Long turns with too few memories, which can have more. */
export function findMissedTurns(
  longTurns: readonly ConversationMessage[],
  items: readonly ExtractedItem[],
): ConversationMessage[] {
  return longTurns.filter(({ id }) => {
    const ofTurn = items.filter((item) => isMemoryOf(item, id));
    return countStatements(ofTurn, id) <= MAX_MEMORIES_OF_MISSED_TURN && ofTurn.length < MAX_WRITES;
  });
}

/** By their quotes of the message, since the halves of a compound memory share them. */
function countStatements(ofTurn: readonly ExtractedItem[], messageId: string): number {
  return new Set(ofTurn.map(({ evidence }) => evidence.find(({ message_id }) => message_id === messageId)?.quote)).size;
}
