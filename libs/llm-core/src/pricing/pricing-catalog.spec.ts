import fc from 'fast-check';
import { ConfigError } from '@annals/config';
import { loadPricingCatalog } from './load-pricing-catalog.js';
import type { PricedModel } from './pricing-catalog.js';

const NOW = Date.UTC(2026, 10, 22);
const HAIKU: PricedModel = { provider: 'claude', model: 'claude-haiku-5-5' };
const SONNET: PricedModel = { provider: 'claude', model: 'claude-sonnet-5-5' };
const LUNA: PricedModel = { provider: 'openai', model: 'gpt-6-luna' };
const TERRA: PricedModel = { provider: 'openai', model: 'gpt-6.1-terra' };
const SMALL: PricedModel = { provider: 'openai', model: 'text-embedding-3-small' };
const MILLION = 1_000_000;
const catalog = loadPricingCatalog();

function writeCatalog(...changes: object[]): string {
  const entries = changes.map((change) => ({
    provider: 'openai',
    model: 'ours',
    kind: 'chat',
    effectiveFrom: '2026-01-01',
    usdPerMillionTokens: { input: '1', output: '2', cacheRead: '0.5', cacheWrite: { '5m': '1.25' } },
    ...change,
  }));
  return JSON.stringify({ version: 'ours-1', entries });
}

describe('the shipped pricing catalog', () => {
  it('has a version and one price for each model and day', () => {
    expect(catalog.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const keys = catalog.entries.map(({ provider, model, effectiveFrom }) => `${provider} ${model} ${effectiveFrom}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('lists the prices of a model by day', () => {
    for (const { provider, model } of catalog.entries) {
      const days = catalog.entries
        .filter((entry) => entry.provider === provider && entry.model === model)
        .map(({ effectiveFrom }) => effectiveFrom);
      expect(days).toEqual(days.toSorted());
    }
  });

  it.each([
    HAIKU,
    SONNET,
    { provider: 'claude', model: 'claude-opus-5-5' },
    { provider: 'claude', model: 'claude-haiku-4-5' },
    { provider: 'claude', model: 'claude-haiku-4-5-20251001' },
    LUNA,
    TERRA,
    { provider: 'openai', model: 'gpt-6.1-sol' },
    { provider: 'openai', model: 'gpt-5.6-luna' },
    SMALL,
    { provider: 'openai', model: 'text-embedding-3-large' },
    { provider: 'openai', model: 'text-embedding-ada-002' },
  ] as PricedModel[])('has a price for $model of $provider', (model) => {
    expect(catalog.has(model)).toBe(true);
    expect(catalog.price(model, { inputTokens: MILLION, outputTokens: 0 }, NOW)).toBeGreaterThan(0);
  });

  it('has lower prices for cache reads and higher ones beyond the long-prompt threshold', () => {
    for (const entry of catalog.entries) {
      if (entry.kind !== 'chat') continue;
      const { input, output, cacheRead, cacheWrite } = entry.usdPerMillionTokens;
      expect(cacheRead).toBeLessThan(input);
      expect(Math.min(...cacheWrite.map(({ microUsd }) => microUsd), output)).toBeGreaterThan(input);
      if (entry.longPrompt) expect(entry.longPrompt.usdPerMillionTokens.input).toBeGreaterThan(input);
    }
  });
});

describe('price', () => {
  // Micro-USD computed manually from provider-facts.md §1.
  it.each([
    ['input', HAIKU, { inputTokens: MILLION / 10, outputTokens: 0 }, 10_000],
    ['output', HAIKU, { inputTokens: 0, outputTokens: MILLION }, 500_000],
    ['a cache read', HAIKU, { inputTokens: 100_000, outputTokens: 0, cacheReadTokens: 100_000 }, 1_000],
    [
      'a cache write of the shortest lifetime',
      HAIKU,
      { inputTokens: 100_000, outputTokens: 0, cacheWriteTokens: 100_000 },
      12_500,
    ],
    ['a prompt at the long-prompt threshold', HAIKU, { inputTokens: 100_000, outputTokens: 100 }, 10_050],
    ['all tokens of a long prompt', HAIKU, { inputTokens: 100_001, outputTokens: 100 }, 50_251],
    [
      'a long prompt read from the cache',
      HAIKU,
      { inputTokens: 100_001, outputTokens: 0, cacheReadTokens: 100_000 },
      5_001,
    ],
    ['a prompt of 272,001 tokens', LUNA, { inputTokens: 272_001, outputTokens: MILLION }, 54_401 + 750_000],
    ['an embedding', SMALL, { inputTokens: MILLION, outputTokens: 0 }, 20_000],
    ['one token, rounded up', SMALL, { inputTokens: 1, outputTokens: 0 }, 1],
    ['a call without tokens', LUNA, { inputTokens: 0, outputTokens: 0 }, 0],
  ])('charges %s', (_what, model, usage, expected) => {
    expect(catalog.price(model, usage, NOW)).toBe(expected);
  });

  it('uses the price of the day: cache reads of Sonnet 5.5 cost half since 7 October 2026', () => {
    const usage = { inputTokens: MILLION, outputTokens: 0, cacheReadTokens: MILLION };
    const days = [Date.UTC(2026, 9, 7) - 1, Date.UTC(2026, 9, 7), Date.UTC(2020, 0, 1)];
    expect(days.map((at) => catalog.price(SONNET, usage, at))).toEqual([200_000, 100_000, 200_000]);
  });

  it('is exact beyond the precision of floating point', () => {
    const usage = { inputTokens: 2 ** 53 - 1, outputTokens: 0 };
    expect(catalog.price(SMALL, usage, NOW)).toBe(Math.ceil((2 ** 53 - 1) / 50));
  });

  it('never exceeds the maximum price of a call of that size', () => {
    const tokens = fc.integer({ min: 0, max: 400_000 });
    const model = fc.constantFrom(...catalog.entries);
    const at = fc.integer({ min: Date.UTC(2026, 8, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(
        model,
        tokens,
        tokens,
        tokens,
        tokens,
        fc.nat(100_000),
        at,
        (entry, plain, read, write, out, more, when) => {
          const usage = {
            inputTokens: plain + read + write,
            outputTokens: out,
            cacheReadTokens: read,
            cacheWriteTokens: write,
          };
          const maxCost = catalog.maxPrice(entry, { inputBytes: usage.inputTokens + more, maxOutputTokens: out }, when);
          expect(catalog.price(entry, usage, when)).toBeLessThanOrEqual(maxCost);
        },
      ),
    );
  });

  it('names the model that has no price', () => {
    expect(() =>
      catalog.price({ provider: 'openai', model: 'llama' }, { inputTokens: 1, outputTokens: 1 }, NOW),
    ).toThrow('The pricing catalog has no price for llama of openai.');
  });
});

describe('loadPricingCatalog', () => {
  it("adds a user's models and overrides shipped prices", () => {
    const extended = loadPricingCatalog(
      writeCatalog({}, { provider: 'claude', model: HAIKU.model, effectiveFrom: '2026-10-07' }),
    );
    expect(extended.version).toBe(`${catalog.version}+ours-1`);
    const usage = { inputTokens: MILLION, outputTokens: MILLION };
    const models = [{ provider: 'openai', model: 'ours' } as const, HAIKU];
    expect(models.map((model) => extended.price(model, usage, NOW))).toEqual([3_000_000, 3_000_000]);
    expect(extended.price(LUNA, usage, NOW)).toBe(catalog.price(LUNA, usage, NOW));
  });

  it.each([
    ['text that is not JSON', '{', 'is not JSON.'],
    ['a catalog without entries', '{"version":"1","entries":[]}', 'at entries: '],
    ['another document', '[]', 'at the top level: '],
    [
      'a price that is a number',
      writeCatalog({ usdPerMillionTokens: { input: 1, output: '1', cacheRead: '1', cacheWrite: { '5m': '1' } } }),
      'at entries[0].usdPerMillionTokens.input: ',
    ],
    [
      'a price of 0',
      writeCatalog({ usdPerMillionTokens: { input: '0', output: '1', cacheRead: '1', cacheWrite: { '5m': '1' } } }),
      'at entries[0].usdPerMillionTokens.input: must be more than 0.',
    ],
    [
      'a price with seven decimals',
      writeCatalog(
        {},
        {
          effectiveFrom: '2026-02-01',
          usdPerMillionTokens: { input: '0.0000001', output: '1', cacheRead: '1', cacheWrite: { '5m': '1' } },
        },
      ),
      'at entries[1].usdPerMillionTokens.input: must be an amount in USD',
    ],
    ['an invalid date', writeCatalog({ effectiveFrom: '2026-13-01' }), 'at entries[0].effectiveFrom: must be a date'],
    ['an unknown field', writeCatalog({ price: 1 }), 'at entries[0]: '],
    ['an unknown provider', writeCatalog({ provider: 'nobody' }), 'at entries[0].provider: '],
    [
      'two prices for the same day',
      writeCatalog({}, {}),
      'has a second price for openai ours from 2026-01-01 at entries[1].',
    ],
  ])('rejects %s with one sentence that names the position', (_what, json, expected) => {
    const load = () => loadPricingCatalog(json);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(expected);
    expect(load).toThrow(/^The pricing catalog \(MEMORY_LLM_PRICING_CATALOG\) [^\n]+\.$/);
  });
});
