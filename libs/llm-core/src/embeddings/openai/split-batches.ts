import { LLMError } from '../../provider/llm-error.js';
import type { TokenCounter } from '../../tokens/count-tokens.js';

/** Limits of one request (provider facts §1.2). */
export const MAX_INPUTS = 2_048;
export const MAX_REQUEST_TOKENS = 300_000;
export const MAX_INPUT_TOKENS = 8_192;

export interface EmbeddingBatch {
  texts: string[];
  /** Counted by o200k, which is near what the server counts. */
  tokens: number;
}

/**
 * Cuts texts into requests that the server accepts, in order.
 * @throws LLMError `invalid_request` when one text alone is too long.
 */
export function splitBatches(texts: readonly string[], countTokens: TokenCounter): EmbeddingBatch[] {
  const batches: EmbeddingBatch[] = [];
  let current: EmbeddingBatch = { texts: [], tokens: 0 };
  for (const text of texts) {
    const tokens = countTokens(text);
    if (tokens > MAX_INPUT_TOKENS) {
      throw new LLMError(
        'invalid_request',
        `A text of ${tokens} tokens is longer than the ${MAX_INPUT_TOKENS} of one input.`,
      );
    }
    if (current.texts.length === MAX_INPUTS || current.tokens + tokens > MAX_REQUEST_TOKENS) {
      batches.push(current);
      current = { texts: [], tokens: 0 };
    }
    current.texts.push(text);
    current.tokens += tokens;
  }
  return [...batches, current];
}
