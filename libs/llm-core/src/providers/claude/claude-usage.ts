import type { TokenUsage } from '../../provider/llm-response.js';

/** Token figures as received; compatible servers omit some of them. */
export interface ClaudeUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
}

/** Figures of a later event replace those of an earlier one. */
export function mergeUsage(known: ClaudeUsage, next: ClaudeUsage | undefined): ClaudeUsage {
  const merged = { ...known };
  for (const [name, count] of Object.entries(next ?? {}) as [keyof ClaudeUsage, unknown][]) {
    if (typeof count === 'number') merged[name] = count;
  }
  return merged;
}

/** `input_tokens` excludes tokens read from or written to the cache (provider facts §2.2). */
export function sumUsage(usage: ClaudeUsage | undefined): TokenUsage | undefined {
  if (typeof usage?.input_tokens !== 'number' || typeof usage.output_tokens !== 'number') return undefined;
  const cacheReadTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens + cacheReadTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens,
    cacheReadTokens,
    cacheWriteTokens,
  };
}
