import { findTokenCounter } from './count-tokens.js';

/** English has 4 or more bytes per token, the densest other scripts about 3. */
const BYTES_PER_TOKEN = 3;

/**
 * Estimates tokens synchronously, for planning: the o200k count if its table is loaded, otherwise `overestimateTokens`.
 */
export function estimateTokens(text: string): number {
  return findTokenCounter()?.(text) ?? overestimateTokens(text);
}

/** Token estimate by length alone, rather too high. Zero only for empty text. */
export function overestimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
