import { LRUCache } from 'lru-cache';

/** Tokens of a text. */
export type TokenCounter = (text: string) => number;

// Bullets and headers repeat from query to query; longer texts rarely do and would only crowd the cache.
const MAX_CACHED_LENGTH = 400;
const CACHED_TEXTS = 5_000;

let loading: Promise<TokenCounter> | undefined;
let loaded: TokenCounter | undefined;

/**
 * The o200k counter (docs/reference/recall.md#token-budget-of-an-answer): exact for OpenAI models up to GPT-5, an
 * estimate for all others. The table is loaded at the first call, so that a process that never counts does not pay for
 * it; call this at start where the first count must not wait.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  return (loading ??= importTokenCounter());
}

/** The counter, if it is loaded already; for those who cannot wait. */
export function findTokenCounter(): TokenCounter | undefined {
  return loaded;
}

/** Tokens of a text by o200k, where a count is needed once; loops take `loadTokenCounter` and count synchronously. */
export async function countTokens(text: string): Promise<number> {
  return (await loadTokenCounter())(text);
}

async function importTokenCounter(): Promise<TokenCounter> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that spells a control token, such as <|endoftext|>, is text like any other.
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
