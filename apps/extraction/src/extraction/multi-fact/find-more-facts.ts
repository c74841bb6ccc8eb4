import type { ExtractedMemory } from '@annals/contracts';
import { buildExtractionPrompt, type ConversationMessage, type PromptFrame, readAnswer } from '@annals/llm-core';
import { askOnce, type SecondAnswer, type SecondQuestion } from '../ask-once.js';

/** A memory with its evidence takes about so many tokens; a turn gives five at most. */
const TOKENS_PER_TURN = 600;

/**
 * Looks at long turns once more, all in one call: by the prompt of every extraction, so that its cached prefix is read,
 * with nothing else to look at (SYS §13). Never throws.
 */
export function findMoreFacts(
  question: SecondQuestion,
  turns: readonly ConversationMessage[],
  frame: PromptFrame,
): Promise<SecondAnswer<readonly ExtractedMemory[]>> {
  const prompt = buildExtractionPrompt({
    excerpt: { messages: turns, context: [] },
    longIds: new Set(turns.map(({ id }) => id)),
    frame,
  });
  return askOnce(question, {
    operation: 'multi_fact',
    task: 'extract_memories',
    prompt,
    expectedOutputTokens: turns.length * TOKENS_PER_TURN,
    read: ({ text, finishReason }) =>
      readAnswer(text, { truncated: finishReason === 'length', messageIds: prompt.messageIds }).memories,
  });
}
