import { createHash } from 'node:crypto';
import { countFakeTokens } from '../models/usage.js';

/** A block of a request, in the order in which the model reads it. */
export interface PromptBlock {
  /** Everything of the block that the model reads, exactly: equal texts are equal blocks. */
  readonly text: string;
  /** Whether the client set a breakpoint at its end. */
  readonly isMarked: boolean;
}

/** Whose rules apply: of OpenAI’s models before and from GPT-5.6, or of Claude. */
export type CachingRules = 'openai-prefix' | 'openai-breakpoints' | 'anthropic';

/** `prompt_cache_options.mode` of a request to OpenAI. */
export type BreakpointMode = 'implicit' | 'explicit';

export interface CachedTokens {
  readonly readTokens: number;
  /** 0 with `openai-prefix`, whose writes are not reported. */
  readonly writeTokens: number;
}

interface BlockCacheOptions {
  /** Default: four bytes are one token. */
  countTokens?: (text: string) => number;
  /** The shortest prefix that is kept. Default: 1,024 tokens of OpenAI, 512 of Anthropic. */
  minTokens?: number;
}

interface Prefix {
  readonly key: string;
  readonly tokens: number;
}

const MIN_TOKENS: Readonly<Record<CachingRules, number>> = {
  'openai-prefix': 1_024,
  'openai-breakpoints': 1_024,
  anthropic: 512,
};
const PREFIX_STEP = 128;
/** How many blocks are looked at for a prefix that was written earlier: from the end, or from each mark. */
const OPENAI_LOOKBACK = 80;
const ANTHROPIC_LOOKBACK = 20;
/** Breakpoints of a request, the implicit one included. */
const MAX_BREAKPOINTS = 4;

/**
 * The prompt cache of a provider, by its documented rules (November 2026):
 *
 * - `openai-prefix`: the longest common beginning with any earlier request is read, from 1,024 tokens on, in steps of 128.
 * - `openai-breakpoints`: a prefix is kept only where a breakpoint ends it: in `implicit` mode at the end of the newest
 *   message and at the last three explicit ones, in `explicit` mode at the last four; there a request without any uses
 *   no cache. What is read may end at any of the last 80 blocks. Boundaries are not rounded.
 * - `anthropic`: tools, then system, then messages. A prefix is kept where a `cache_control` mark ends it, of which there
 *   may be four; each mark finds what was kept at most 20 blocks back, itself included. Shorter than 512 tokens: nothing.
 *
 * Lifetimes are left out: nothing is forgotten. So are the parameters that empty a cache besides (thinking, tool choice).
 */
export class BlockCache {
  private readonly kept = new Set<string>();
  private readonly texts: string[] = [];
  private readonly countTokens: (text: string) => number;
  private readonly minTokens: number;

  constructor(
    private readonly rules: CachingRules,
    options: BlockCacheOptions = {},
  ) {
    this.countTokens = options.countTokens ?? countFakeTokens;
    this.minTokens = options.minTokens ?? MIN_TOKENS[rules];
  }

  /** Tokens that a request reads from the cache and writes to it. `mode` matters to `openai-breakpoints` alone. */
  request(blocks: readonly PromptBlock[], mode: BreakpointMode = 'implicit'): CachedTokens {
    switch (this.rules) {
      case 'openai-prefix':
        return { readTokens: this.readLongestText(joinBlocks(blocks)), writeTokens: 0 };
      case 'openai-breakpoints':
        return this.useBreakpoints(blocks, mode);
      case 'anthropic':
        return this.useMarks(blocks);
    }
  }

  /** All tokens of a request, cached or not. */
  count(blocks: readonly PromptBlock[]): number {
    return this.countTokens(joinBlocks(blocks));
  }

  private readLongestText(text: string): number {
    const lengths = this.texts.map((earlier) => measureCommonLength(earlier, text));
    this.texts.push(text);
    const tokens = this.countTokens(text.slice(0, Math.max(0, ...lengths)));
    return tokens < this.minTokens ? 0 : Math.floor(tokens / PREFIX_STEP) * PREFIX_STEP;
  }

  private useBreakpoints(blocks: readonly PromptBlock[], mode: BreakpointMode): CachedTokens {
    const explicit = listMarks(blocks);
    if (mode === 'explicit' && explicit.length === 0) return { readTokens: 0, writeTokens: 0 };
    const breakpoints =
      mode === 'explicit'
        ? explicit.slice(-MAX_BREAKPOINTS)
        : [...explicit.slice(1 - MAX_BREAKPOINTS), blocks.length - 1];
    const prefixes = this.listPrefixes(blocks);
    return this.use(prefixes, prefixes.slice(-OPENAI_LOOKBACK), breakpoints);
  }

  private useMarks(blocks: readonly PromptBlock[]): CachedTokens {
    const marks = listMarks(blocks);
    if (marks.length > MAX_BREAKPOINTS) {
      throw new RangeError(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
    }
    const prefixes = this.listPrefixes(blocks);
    const readable = marks.flatMap((mark) => prefixes.slice(Math.max(0, mark + 1 - ANTHROPIC_LOOKBACK), mark + 1));
    return this.use(prefixes, readable, marks);
  }

  private use(prefixes: readonly Prefix[], readable: readonly Prefix[], breakpoints: readonly number[]): CachedTokens {
    const readTokens = Math.max(0, ...readable.filter(({ key }) => this.kept.has(key)).map(({ tokens }) => tokens));
    const written = breakpoints
      .map((index) => prefixes[index])
      .filter((prefix) => prefix !== undefined && prefix.tokens >= this.minTokens) as Prefix[];
    for (const { key } of written) this.kept.add(key);
    const furthest = Math.max(readTokens, ...written.map(({ tokens }) => tokens));
    return { readTokens, writeTokens: furthest - readTokens };
  }

  private listPrefixes(blocks: readonly PromptBlock[]): Prefix[] {
    const hash = createHash('sha256');
    return blocks.map(({ text }, index) => {
      hash.update(`${text.length}:${text}`);
      return { key: hash.copy().digest('hex'), tokens: this.count(blocks.slice(0, index + 1)) };
    });
  }
}

function listMarks(blocks: readonly PromptBlock[]): number[] {
  return blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
}

function joinBlocks(blocks: readonly PromptBlock[]): string {
  return blocks.map(({ text }) => `${text}\n`).join('');
}

function measureCommonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
