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

/** The counter if it is already loaded; for callers that cannot wait. */
export function findTokenCounter(): TokenCounter | undefined {
  return loaded;
}

/**
 * Counts the tokens of a text by o200k, for single counts; in loops, use `loadTokenCounter` and count synchronously.
 */
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
    const known = cache.get(text);
    if (known !== undefined) return known;
    const tokens = count(text, asPlainText);
    cache.set(text, tokens);
    return tokens;
  };
  return loaded;
}
