/** Tokens of one call. `estimated` is present (true) only when the provider gave no count of its own (decision 14). */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  estimated?: true;
}
