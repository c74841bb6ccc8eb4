import type { LLMRequest } from './llm-request.js';
import type { LLMResponse } from './llm-response.js';
import type { TokenUsage } from './token-usage.js';

/** How an endpoint can be held to the answer's shape, strongest first; `unknown` until it was found out. */
export const STRUCTURED_OUTPUT_MODES = ['schema', 'json_object', 'text'] as const;
export type StructuredOutputMode = (typeof STRUCTURED_OUTPUT_MODES)[number];

export interface ProviderCapabilities {
  streaming: boolean;
  /** False when the provider answers without leaving the process: no budget, rate limiter or circuit breaker is needed. */
  remote: boolean;
  /** BCP 47 tags of the languages it understands, or `any`. */
  languages: readonly string[] | 'any';
  /** Most input tokens of one call. */
  maxInputTokens: number;
  /** Most output tokens of one call. */
  maxOutputTokens: number;
  structuredOutput: StructuredOutputMode | 'unknown';
  /** Whether a repeated prefix of the prompt costs less. */
  promptCaching: boolean;
}

/**
 * Called while an answer streams in; tool-call blocks never reach a handler
 * (docs/reference/streaming-and-repair.md#tool-calls-are-not-part-of-an-answer).
 */
export interface StreamHandlers {
  /** `ms` since the request that is answered was sent; requests the endpoint refused before do not count. */
  onFirstToken?(ms: number): void;
  onText(chunk: string): void;
}

/** The result of inspecting the provider, without spending anything. `problem` is a sentence that says what to do. */
export interface ProviderInspection {
  readonly usable: boolean;
  readonly reachable: boolean;
  readonly authenticated: boolean;
  readonly modelKnown: boolean;
  /** `YYYY-MM-DD` on which the provider switches the model off, when it says so. */
  readonly retiresOn?: string;
  readonly problem?: string;
}

/**
 * A model behind one interface (docs/reference/model-calls.md#provider-interface). Every failure is an `LLMError`, with
 * `usage` when the failed call was charged; an aborted signal ends a call with its reason (an LLMError with what the
 * call may cost). Money is integer micro-USD.
 */
export interface LLMProvider {
  readonly name: string;
  readonly model: string;
  send(request: LLMRequest): Promise<LLMResponse>;
  stream?(request: LLMRequest, handlers: StreamHandlers): Promise<LLMResponse>;
  /** The provider's own count where it has one, else an estimate. */
  countTokens(text: string): Promise<number>;
  /** A local estimate, for planning; never zero for text. */
  estimateTokens(text: string): number;
  getCapabilities(): ProviderCapabilities;
  /** What a call with this usage costs now. */
  estimateCost(usage: TokenUsage): number;
  /**
   * What the call can cost at most (docs/reference/budgets.md#upper-bound-of-a-call): every byte of the prompt a token,
   * all of `maxOutputTokens`, the highest price tier. Never less than the cost of the answer.
   */
  estimateMaxCost(request: LLMRequest): number;
  /** Whether the provider could answer with the configuration it was given. Never throws, spends nothing. */
  validateConfig(): Promise<boolean>;
  /** The same with reasons. Never throws. */
  inspect(signal: AbortSignal): Promise<ProviderInspection>;
}
