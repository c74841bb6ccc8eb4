import type { ExtractedMemory } from '@annals/contracts';
import { buildExtractionPrompt, type ConversationMessage, type PromptTemplate, parseAnswer } from '@annals/llm-core';
import { requestOnce, type FollowUpAnswer, type FollowUpRequest } from '../request-once.js';

/** A memory with its evidence takes about so many tokens; a turn gives five at most. */
const TOKENS_PER_TURN = 600;

/**
 * Looks at long turns once more, all in one call: by the prompt of every extraction, so that its cached prefix is read,
 * with nothing else to look at (docs/reference/extraction.md#second-extraction-pass-for-long-messages). Never throws.
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
