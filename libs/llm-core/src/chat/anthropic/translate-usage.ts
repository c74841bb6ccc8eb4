import type { JsonObject } from '../../parsing/json-tree.js';
import type { TokenUsage } from '../../provider/llm-response.js';

/** Usage in OpenAI’s form: `prompt_tokens` includes what the cache held and took. */
export function translateUsage(usage: TokenUsage, thinkingTokens: number): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: thinkingTokens },
  };
}
