import type { LLMRequest } from './llm-request.js';
import type { LLMResponse } from './llm-response.js';
import type { TokenUsage } from './token-usage.js';

export interface ProviderCapabilities {
  streaming: boolean;
  /** False when the provider answers without leaving the process: no budget, gate or breaker is needed. */
  remote: boolean;
  /** BCP 47 tags of the languages it understands, or `any`. */
  languages: readonly string[] | 'any';
  /** Most input tokens of one call. */
  maxInputTokens: number;
  /** Most output tokens of one call. */
  maxOutputTokens: number;
}

/** Called while an answer streams in; tool-call blocks never reach a handler (LLM "Streaming Assembly"). */
export interface StreamHandlers {
  onFirstToken?(): void;
  onText(chunk: string): void;
}

/**
 * A model behind one door (LLM "Provider Interface (Canonical)"). Every failure is an `LLMError`; an aborted signal
 * ends a call with its reason. `estimateCost` gives integer micro-USD. `validateConfig` says whether the provider could
 * answer with the configuration it was given, without spending anything.
 */
export interface LLMProvider {
  readonly name: string;
  send(request: LLMRequest): Promise<LLMResponse>;
  stream?(request: LLMRequest, handlers: StreamHandlers): Promise<LLMResponse>;
  countTokens(text: string): Promise<number>;
  getCapabilities(): ProviderCapabilities;
  estimateCost(usage: TokenUsage): number;
  validateConfig(): Promise<boolean>;
}
