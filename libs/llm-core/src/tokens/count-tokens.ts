import { LRUCache } from 'lru-cache';

type Count = (text: string) => number;

// Bullets and headers repeat from query to query; longer texts rarely do and would only crowd the cache.
const MAX_CACHED_LENGTH = 400;
const CACHED_TEXTS = 5_000;

const cache = new LRUCache<string, number>({ max: CACHED_TEXTS });
let loading: Promise<Count> | undefined;
let loaded: Count | undefined;

/**
 * Loads the o200k table (about 10 MB of code and memory), so that a process that never counts does not pay for it.
 * Call it at start where the first count must not wait.
 */
export async function loadTokenizer(): Promise<void> {
  loaded ??= await (loading ??= importTokenizer());
}

/** Tokens of a text by o200k (decision 45): exact for OpenAI models up to GPT-5, an estimate for all others. */
export async function countTokens(text: string): Promise<number> {
  if (text.length > MAX_CACHED_LENGTH) return (await tokenizer())(text);
  const known = cache.get(text);
  if (known !== undefined) return known;
  const count = (await tokenizer())(text);
  cache.set(text, count);
  return count;
}

async function tokenizer(): Promise<Count> {
  await loadTokenizer();
  return loaded!;
}

async function importTokenizer(): Promise<Count> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that spells a control token, such as <|endoftext|>, is text like any other.
  return (text) => count(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}
