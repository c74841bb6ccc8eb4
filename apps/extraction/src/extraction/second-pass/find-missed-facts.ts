import type { ExtractedItem, ExtractedMemory } from '@annals/contracts';
import { runInSlices } from '@annals/domain';
import { buildExtractionPrompt, type ConversationMessage, parseAnswer, type PromptTemplate } from '@annals/llm-core';
import { toBudgetDay } from '@annals/runtime';
import { countCalls } from '@annals/storage';
import { arrangeItems } from '../arrange-items.js';
import { type FollowUp, type FollowUpAnswer, requestOnce } from '../call-model/request-once.js';
import { type BatchMessage, groundAnswer } from '../ground/ground-answer.js';
import type { BatchReading } from '../ground/read-batch.js';

/** Expected output per turn: at most five memories with their evidence. */
const TOKENS_PER_TURN = 600;
/** A long turn with at most this many memories gets a second pass. */
const MAX_MEMORIES_OF_MISSED_TURN = 1;
/** Candidates that are considered, and memories that are written, per turn. */
const MAX_CANDIDATES = 5;
const MAX_WRITES = 3;

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

/** Result of the second pass: numbers and a reason code, no content. */
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
  input: SecondPassInput,
): Promise<{ items: readonly ExtractedItem[]; report: MultiFactReport | null }> {
  const { found, longTurns, messages, reading, followUp } = input;
  const missed = findMissedTurns(longTurns, found);
  if (missed.length === 0) return { items: found, report: null };
  const more = await requestMoreFacts(missed, input);
  const candidates = more.answered
    ? await runInSlices(groundAnswer(more.value, messages, reading), followUp.infrastructure.pause)
    : [];
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
    findRefusal: () => checkDailyCap(followUp),
    expectedOutputTokens: missed.length * TOKENS_PER_TURN,
    read: ({ text, finishReason }) =>
      parseAnswer(text, { truncated: finishReason === 'length', messageIds: prompt.messageIds }).memories,
  });
}

/** `capped` when the user's daily number of second passes is reached. */
async function checkDailyCap({ infrastructure, config, batch }: FollowUp): Promise<string | null> {
  const { database, clock } = infrastructure;
  const { tenantId, userId } = batch;
  try {
    const day = toBudgetDay(clock.now());
    const calls = await database.readTenant(tenantId, (tx) => countCalls(tx, { userId, operation: 'multi_fact', day }));
    return calls >= config.multiFact.dailyCalls ? 'capped' : null;
  } catch {
    // The answer is paid for, so it is written without a second pass.
    return 'unavailable';
  }
}

/** Turns of users that are long enough to contain several facts. `minLength` is in characters; 0 finds none. */
export function findLongTurns(
  messages: readonly ConversationMessage[],
  { minLength }: { readonly minLength: number },
): ConversationMessage[] {
  if (minLength === 0) return [];
  return messages.filter(({ role, content }) => role === 'user' && content.length > minLength);
}

export function findMissedTurns(
  longTurns: readonly ConversationMessage[],
  items: readonly ExtractedItem[],
): ConversationMessage[] {
  return longTurns.filter(({ id }) => countMemories(items, id) <= MAX_MEMORIES_OF_MISSED_TURN);
}

/** The most important, then most confident candidates of each turn, up to the limit, in the order of the answer. */
export function selectBestOfTurns(
  candidates: readonly ExtractedItem[],
  turns: readonly ConversationMessage[],
): ExtractedItem[] {
  const selected = new Set(
    turns.flatMap(({ id }) =>
      candidates
        .filter((item) => item.evidence[0]?.message_id === id)
        .slice(0, MAX_CANDIDATES)
        .filter(({ quarantineReason }) => quarantineReason === undefined)
        .toSorted((a, b) => b.importance - a.importance || (b.confidence ?? 0) - (a.confidence ?? 0))
        .slice(0, MAX_WRITES),
    ),
  );
  // Their relations are indexes into the answer of the second pass, so they do not apply to the merged list.
  return candidates.filter((item) => selected.has(item)).map(({ relations: _relations, ...item }) => item);
}

/** By their quotes of the message, since the halves of a compound memory share them. */
function countMemories(items: readonly ExtractedItem[], messageId: string): number {
  const quotes = items
    .filter(({ quarantineReason }) => quarantineReason === undefined)
    .flatMap(({ evidence }) => evidence.find(({ message_id }) => message_id === messageId)?.quote ?? []);
  return new Set(quotes).size;
}
