import { LRUCache } from 'lru-cache';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

// Bullets and headers repeat from query to query; longer texts rarely do and would only displace them in the cache.
const MAX_CACHED_LENGTH = 400;
const CACHED_TEXTS = 5_000;

let loading: Promise<TokenCounter> | undefined;
let loaded: TokenCounter | undefined;

/**
 * Loads the o200k token counter (docs/reference/recall.md#token-budget-of-an-answer): exact for OpenAI models up to
 * GPT-5, an estimate for all others. The table is loaded on the first call, so that processes that never count do not
 * load it; call this at startup where the first count must not be delayed.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  return (loading ??= importTokenCounter());
}

/** For single counts; in loops, use `loadTokenCounter` and count synchronously. */
export async function countTokens(text: string): Promise<number> {
  return (await loadTokenCounter())(text);
}

async function importTokenCounter(): Promise<TokenCounter> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that contains a control token, such as <|endoftext|>, is counted as plain text.
  const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  const cache = new LRUCache<string, number>({ max: CACHED_TEXTS });
  loaded = (text) => {
    if (text.length > MAX_CACHED_LENGTH) return count(text, asPlainText);
    const tokens = cache.get(text) ?? count(text, asPlainText);
    cache.set(text, tokens);
    return tokens;
  };
  return loaded;
}

/** English has 4 or more bytes per token, the densest other scripts about 3. */
const BYTES_PER_TOKEN = 3;

/** For planning, synchronously: the o200k count if its table is loaded, else `overestimateTokens`. */
export function estimateTokens(text: string): number {
  return loaded?.(text) ?? overestimateTokens(text);
}

/** Token estimate by length alone, rather too high. Zero only for empty text. */
export function overestimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

const NOTABLE_VARIANCE_PERCENT = 5;

export interface EstimateVariance {
  /** Deviation from the actual usage in percent of it; positive if the estimate was too high. */
  readonly variancePercent: number;
  /** More than 5 % off, which is logged (docs/reference/model-calls.md#token-counts-and-estimates). */
  readonly notable: boolean;
}

/** Compares a token estimate with the provider's count; undefined if there is no count. */
export function compareTokenEstimate(estimated: number, actual: number): EstimateVariance | undefined {
  if (!(actual > 0)) return undefined;
  const variancePercent = ((estimated - actual) / actual) * 100;
  return { variancePercent, notable: Math.abs(variancePercent) > NOTABLE_VARIANCE_PERCENT };
}
