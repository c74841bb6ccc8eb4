/**
 * Tokens of one call. `inputTokens` counts all input tokens, cached or not; the cache figures are included in it.
 * `estimated` is present (true) only if the provider reported no usage (docs/reference/model-calls.md#estimated-usage).
 */
export interface TokenUsage {
  inputTokens: number;
  /** Generated tokens, thinking included. */
  outputTokens: number;
  /** Input tokens read from the provider's prompt cache. */
  cacheReadTokens?: number;
  /** Input tokens written to the provider's prompt cache. */
  cacheWriteTokens?: number;
  estimated?: true;
}
