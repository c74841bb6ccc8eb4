import type { RateLimitReport } from './rate-limit-report.js';
import type { TokenUsage } from './token-usage.js';

/**
 * `length`: the answer was truncated at the output limit. Refusals and content filters are an LLMError `policy`
 * instead.
 */
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
