import type { ExtractedMemory } from '@annals/contracts';
import { buildExtractionPrompt, type ConversationMessage, type PromptTemplate, parseAnswer } from '@annals/llm-core';
import { requestOnce, type FollowUpAnswer, type FollowUpRequest } from '../request-once.js';

/** Expected output per turn: at most five memories with their evidence. */
const TOKENS_PER_TURN = 600;

/**
 * Second pass over long turns, all in one call (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 * It uses the prompt of the first pass, whose prefix the provider has cached, with only these turns as messages. Never
 * throws.
 */
export function findMoreFacts(
  followUp: FollowUpRequest,
  turns: readonly ConversationMessage[],
  template: PromptTemplate,
): Promise<FollowUpAnswer<readonly ExtractedMemory[]>> {
  const prompt = buildExtractionPrompt({
    excerpt: { messages: turns, context: [] },
    longIds: new Set(turns.map(({ id }) => id)),
    template,
  });
  return requestOnce(followUp, {
    operation: 'multi_fact',
    task: 'extract_memories',
    prompt,
    expectedOutputTokens: turns.length * TOKENS_PER_TURN,
    read: ({ text, finishReason }) =>
      parseAnswer(text, { truncated: finishReason === 'length', messageIds: prompt.messageIds }).memories,
  });
}
