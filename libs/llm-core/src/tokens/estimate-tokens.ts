import { findTokenCounter } from './count-tokens.js';

/** English has 4 and more bytes to a token, the densest other scripts about 3. */
const BYTES_PER_TOKEN = 3;

/** Tokens of a text at once, for planning: the o200k count where its table is loaded, else the guess. */
export function estimateTokens(text: string): number {
  return findTokenCounter()?.(text) ?? overestimateTokens(text);
}

/** A number of tokens that is rather too high, by the length alone. Zero for no text only. */
export function overestimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
