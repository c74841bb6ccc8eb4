import type { TokenUsage } from './token-usage.js';

/** `length` means the answer was cut at the output limit, `refusal` that the provider declined to answer. */
export type FinishReason = 'stop' | 'length' | 'refusal';

/** A provider's answer: `text` is unparsed JSON, `costMicroUsd` an integer, `notice` a sentence meant for people. */
export interface LLMResponse {
  text: string;
  provider: string;
  model: string;
  usage: TokenUsage;
  finishReason: FinishReason;
  costMicroUsd: number;
  notice?: string;
}
