import { LLMError } from '../../provider/llm-error.js';
import { loadTokenCounter, type TokenCounter } from '../../tokens/count-tokens.js';

/** Limits of one request (provider facts §1.2). */
export const MAX_INPUTS = 2_048;
export const MAX_REQUEST_TOKENS = 300_000;
export const MAX_INPUT_TOKENS = 8_192;

/**
 * Splits texts into batches that the server accepts, in order. Tokens are counted by o200k, which is close to the
 * server's count, and only if the number of bytes is not conclusive: a token is at least one byte.
 * @throws LLMError `invalid_request` when a single text is too long.
 */
export async function splitBatches(texts: readonly string[]): Promise<string[][]> {
  const bytes = texts.map((text) => Buffer.byteLength(text));
  const fits =
    texts.length <= MAX_INPUTS &&
    bytes.every((length) => length <= MAX_INPUT_TOKENS) &&
    bytes.reduce((total, length) => total + length, 0) <= MAX_REQUEST_TOKENS;
  return fits ? [[...texts]] : splitByTokens(texts, await loadTokenCounter());
}

function splitByTokens(texts: readonly string[], countTokens: TokenCounter): string[][] {
  const batches: string[][] = [];
  let current: string[] = [];
  let batchTokens = 0;
  for (const text of texts) {
    const tokens = countTokens(text);
    if (tokens > MAX_INPUT_TOKENS) {
      throw new LLMError(
        'invalid_request',
        `A text of ${tokens} tokens exceeds the limit of ${MAX_INPUT_TOKENS} tokens per input: shorten it.`,
        { sent: false },
      );
    }
    if (current.length === MAX_INPUTS || batchTokens + tokens > MAX_REQUEST_TOKENS) {
      batches.push(current);
      current = [];
      batchTokens = 0;
    }
    current.push(text);
    batchTokens += tokens;
  }
  return [...batches, current];
}
