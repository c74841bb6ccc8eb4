import type { RateLimitReport } from './rate-limit-report.js';
import type { TokenUsage } from './token-usage.js';

/** `length`: the answer was cut at the output limit. Refusals and filters are an LLMError `policy`, not an answer. */
export type FinishReason = 'stop' | 'length';

/** A provider's answer: `text` is unparsed JSON, `costMicroUsd` an integer, `notice` a sentence meant for people. */
export interface LLMResponse {
  text: string;
  provider: string;
  model: string;
  usage: TokenUsage;
  finishReason: FinishReason;
  costMicroUsd: number;
  notice?: string;
  /** From sending to the first piece of text, in ms; streamed answers only. */
  firstTokenMs?: number;
  /** What the headers said about the provider's own limits. */
  rateLimits?: RateLimitReport;
  /** The provider's own id of the request, for its support. */
  providerRequestId?: string;
}
