import { isJsonObject } from '../../parsing/json-tree.js';
import type { TokenUsage } from '../../provider/llm-response.js';

/**
 * Reads `usage` as OpenAI and compatible servers send it; undefined without both counts. `prompt_tokens` includes tokens
 * read from or written to the cache, `completion_tokens` includes reasoning.
 */
export function readOpenAIUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const { cached_tokens: read, cache_write_tokens: written } = isJsonObject(details) ? details : {};
  return {
    inputTokens,
    outputTokens,
    ...(typeof read === 'number' ? { cacheReadTokens: read } : {}),
    ...(typeof written === 'number' ? { cacheWriteTokens: written } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value);
}
