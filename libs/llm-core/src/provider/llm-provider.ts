import type { LLMRequest } from './llm-request.js';
import type { LLMResponse, TokenUsage } from './llm-response.js';

/** How an endpoint can be made to return valid JSON, strongest first; `unknown` until the first response. */
export const STRUCTURED_OUTPUT_MODES = ['schema', 'json_object', 'text'] as const;
export type StructuredOutputMode = (typeof STRUCTURED_OUTPUT_MODES)[number];

export interface ProviderCapabilities {
  streaming: boolean;
  /** False if the provider runs inside the process: it needs no budget, rate limiter or circuit breaker. */
  remote: boolean;
  /** BCP 47 tags of the supported languages, or `any`. */
  languages: readonly string[] | 'any';
  /** Maximum input tokens of one call. */
  maxInputTokens: number;
  /** Maximum output tokens of one call. */
  maxOutputTokens: number;
  structuredOutput: StructuredOutputMode | 'unknown';
  /** Whether the provider charges less for a repeated prefix of the prompt. */
  promptCaching: boolean;
}

/**
 * Called while an answer is streamed; tool-call blocks are never passed to a handler
 * (docs/reference/streaming-and-repair.md#tool-calls-are-not-part-of-an-answer).
 */
export interface StreamHandlers {
  /** `ms` since the request that is answered was sent; earlier ones that were rejected do not count. */
  onFirstToken?(ms: number): void;
  onText(chunk: string): void;
}

/** The result of checking a provider with requests that cost nothing. `problem` is a sentence that says what to do. */
export interface ProviderInspection {
  readonly usable: boolean;
  readonly reachable: boolean;
  readonly authenticated: boolean;
  readonly modelKnown: boolean;
  /** Date (`YYYY-MM-DD`) on which the provider shuts down the model, if it announces one. */
  readonly retiresOn?: string;
  readonly problem?: string;
}

/**
 * Common interface of all models (docs/reference/model-calls.md#provider-interface). Every failure is an `LLMError`,
 * with `usage` if the failed call was charged. An aborted signal ends a call with the signal's reason; if that reason
 * is an LLMError, with the maximum cost of the call. Amounts of money are integers in micro-USD.
 */
export interface LLMProvider {
  readonly name: string;
  readonly model: string;
  send(request: LLMRequest): Promise<LLMResponse>;
  stream?(request: LLMRequest, handlers: StreamHandlers): Promise<LLMResponse>;
  /** Tokens of a text as counted by the provider if it offers that, otherwise an estimate. */
  countTokens(text: string): Promise<number>;
  /** Local token estimate, for planning; never zero for non-empty text. */
  estimateTokens(text: string): number;
  getCapabilities(): ProviderCapabilities;
  /** Cost of a call with this usage at current prices. */
  estimateCost(usage: TokenUsage): number;
  /**
   * Maximum cost of the call (docs/reference/budgets.md#upper-bound-of-a-call): every byte of the prompt counts as a
   * token, all of `maxOutputTokens` are used, at the highest price tier. Never less than the actual cost.
   */
  estimateMaxCost(request: LLMRequest): number;
  /** Whether the provider is usable with its configuration. Never throws, costs nothing. */
  validateConfig(): Promise<boolean>;
  /** Like `validateConfig`, with details. Never throws. */
  inspect(signal: AbortSignal): Promise<ProviderInspection>;
}
