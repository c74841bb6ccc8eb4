import type { ObservedLimit, ObservedLimits } from '@annals/coordination';

/** `length`: truncated at the output limit. Refusals and content filters are an LLMError `policy`. */
export type FinishReason = 'stop' | 'length';

/** A provider's answer: `text` is unparsed JSON, `costMicroUsd` an integer, `notice` a sentence for operators. */
export interface LLMResponse {
  text: string;
  provider: string;
  model: string;
  usage: TokenUsage;
  finishReason: FinishReason;
  costMicroUsd: number;
  notice?: string;
  /** Time from sending the request to the first text, in ms; streamed answers only. */
  firstTokenMs?: number;
  /** The provider's rate limits as reported in the response headers. */
  rateLimits?: RateLimitReport;
  /** The provider's request id, for its support. */
  providerRequestId?: string;
}

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

/** A provider's limits per minute as reported in its headers. */
export type RateLimitReport = ObservedLimits;
export type ReportedLimit = ObservedLimit;
