import type { TokenUsage } from '../provider/llm-response.js';
import type { ChatPrices, PriceEntry } from './catalog-schema.js';

/** A model with a price: `provider` is the provider's name in Annals. */
export interface PricedModel {
  readonly provider: 'claude' | 'openai';
  readonly model: string;
}

/** The size of a call before it is made: UTF-8 bytes of everything sent, and the maximum output tokens. */
export interface CallSize {
  readonly inputBytes: number;
  readonly maxOutputTokens: number;
}

type ChatEntry = PriceEntry & { kind: 'chat' };

/** List prices by model and day. Amounts are integer micro-USD, rounded up once at the end; `at` is epoch ms. */
export class PricingCatalog {
  private readonly byModel = new Map<string, PriceEntry[]>();

  /** `entries` may be in any order; `loadPricingCatalog` provides them. */
  constructor(
    readonly version: string,
    readonly entries: readonly PriceEntry[],
  ) {
    for (const entry of entries.toSorted((a, b) => (a.effectiveFrom < b.effectiveFrom ? -1 : 1))) {
      const key = buildModelKey(entry);
      this.byModel.set(key, [...(this.byModel.get(key) ?? []), entry]);
    }
  }

  has(model: PricedModel): boolean {
    return this.byModel.has(buildModelKey(model));
  }

  /**
   * Cost of a call with this usage. Cache writes are priced at the shortest lifetime, which is the one that requests
   * use.
   * @throws Error for a model without a price: check `has` first.
   */
  price(model: PricedModel, usage: TokenUsage, at: number): number {
    const entry = this.find(model, at);
    if (entry.kind === 'embedding') {
      return computeTokenCost([[usage.inputTokens, entry.usdPerMillionTokens.input]]);
    }
    const prices = pickTier(entry, usage.inputTokens);
    const cacheRead = usage.cacheReadTokens ?? 0;
    const cacheWrite = usage.cacheWriteTokens ?? 0;
    return computeTokenCost([
      [Math.max(0, usage.inputTokens - cacheRead - cacheWrite), prices.input],
      [cacheRead, prices.cacheRead],
      [cacheWrite, prices.cacheWrite[0]?.microUsd ?? prices.input],
      [usage.outputTokens, prices.output],
    ]);
  }

  /**
   * Maximum cost of a call of this size (docs/reference/budgets.md#upper-bound-of-a-call): a token is at least one
   * byte, so every byte is charged as one token at the highest applicable input price, and the maximum output at the
   * highest output price.
   * @throws Error for a model without a price: check `has` first.
   */
  maxPrice(model: PricedModel, { inputBytes, maxOutputTokens }: CallSize, at: number): number {
    const entry = this.find(model, at);
    if (entry.kind === 'embedding') return computeTokenCost([[inputBytes, entry.usdPerMillionTokens.input]]);
    const tiers = [entry.usdPerMillionTokens, pickTier(entry, inputBytes)];
    return computeTokenCost([
      [inputBytes, Math.max(...tiers.map(findMaxInputPrice))],
      [maxOutputTokens, Math.max(...tiers.map(({ output }) => output))],
    ]);
  }

  /** The price valid at that time; times before the first known price have the first one. */
  private find(model: PricedModel, at: number): PriceEntry {
    const entries = this.byModel.get(buildModelKey(model));
    const entry = entries?.findLast(({ effectiveFrom }) => Date.parse(effectiveFrom) <= at) ?? entries?.[0];
    if (!entry) throw new Error(`The pricing catalog has no price for ${model.model} of ${model.provider}.`);
    return entry;
  }
}

function pickTier(entry: ChatEntry, inputTokens: number): ChatPrices {
  const { longPrompt } = entry;
  return longPrompt && inputTokens > longPrompt.aboveInputTokens
    ? longPrompt.usdPerMillionTokens
    : entry.usdPerMillionTokens;
}

function findMaxInputPrice({ input, cacheRead, cacheWrite }: ChatPrices): number {
  return Math.max(input, cacheRead, ...cacheWrite.map(({ microUsd }) => microUsd));
}

function buildModelKey({ provider, model }: PricedModel): string {
  return `${provider} ${model}`;
}

const MILLION = 1_000_000n;

/**
 * Cost of tokens in integer micro-USD, rounded up once (docs/reference/model-calls.md#prices-and-rounding-of-costs).
 * Each pair is a token count and its price in micro-USD per 1,000,000 tokens. Computed exactly, because a
 * floating-point sum could be below the amount charged.
 */
function computeTokenCost(parts: readonly (readonly [tokens: number, microUsdPerMillion: number])[]): number {
  let total = 0n;
  for (const [tokens, microUsd] of parts) total += BigInt(Math.ceil(tokens)) * BigInt(microUsd);
  return Number((total + MILLION - 1n) / MILLION);
}
