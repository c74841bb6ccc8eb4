/**
 * Tokens of one call. `inputTokens` is everything that was read, cached or not; the cache figures are parts of it.
 * `estimated` is present (true) only when the provider gave no count of its own
 * (docs/reference/model-calls.md#estimated-usage).
 */
export interface TokenUsage {
  inputTokens: number;
  /** What was written, thinking included. */
  outputTokens: number;
  /** Input tokens that came out of the provider's prompt cache. */
  cacheReadTokens?: number;
  /** Input tokens that were put into it. */
  cacheWriteTokens?: number;
  estimated?: true;
}
