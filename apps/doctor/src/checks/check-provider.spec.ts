import { ManualClock } from '@annals/domain';
import { createProvider, loadPricingCatalog, type LLMProvider } from '@annals/llm-core';
import { type FakeModels, KNOWN_MODELS, startFakeModels } from '@annals/testing';
import { evaluateProvider, inspectProvider } from './check-provider.js';

const NOW = Date.UTC(2026, 10, 22);
const { signal } = new AbortController();
let fake: FakeModels;
beforeEach(async () => {
  fake = await startFakeModels({ now: () => NOW });
});
afterEach(() => fake.close());

function connect(provider: 'claude' | 'openai', model: string): LLMProvider {
  const baseUrl = provider === 'claude' ? fake.anthropicUrl : fake.openaiUrl;
  const common = { apiKey: 'sk-hush', model, baseUrl, timeoutMs: 5_000, catalog: loadPricingCatalog() };
  return createProvider({ provider, ...common, isFree: false, clock: new ManualClock(NOW) });
}

async function inspect(provider: 'claude' | 'openai', model: string): Promise<string[]> {
  const findings = await inspectProvider(connect(provider, model), NOW, signal);
  expect(JSON.stringify(findings)).not.toContain('hush');
  return findings.map(({ check, verdict }) => `${check} ${verdict}`);
}

describe.each([
  ['claude', 'claude-haiku-5-5'],
  ['openai', 'gpt-6-luna'],
] as const)('inspectProvider for %s', (name, model) => {
  it('passes a server, a key and a model that work', async () => {
    expect(await inspect(name, model)).toEqual([`${name} ok`, `${name}.key ok`, `${name}.model ok`]);
  });

  it('fails for a wrong key, a missing model and an unreachable server', async () => {
    fake.configure({ keys: ['another'] });
    expect(await inspect(name, model)).toEqual([`${name} ok`, `${name}.key fail`]);
    fake.configure({ keys: null, models: [] });
    expect(await inspect(name, model)).toEqual([`${name} ok`, `${name}.key ok`, `${name}.model fail`]);
    fake.outage(true);
    expect(await inspect(name, model)).toEqual([`${name} fail`]);
  });

  it('warns from sixty days before the retirement of the model', async () => {
    const ending = (retiresOn: string) =>
      fake.configure({ models: KNOWN_MODELS.map((known) => (known.id === model ? { ...known, retiresOn } : known)) });
    ending('2027-01-21');
    expect((await inspect(name, model)).at(-1)).toBe(`${name}.model warn`);
    ending('2027-01-22');
    expect((await inspect(name, model)).at(-1)).toBe(`${name}.model ok`);
    ending('2026-11-01');
    expect((await inspect(name, model)).at(-1)).toBe(`${name}.model fail`);
  });
});

describe('evaluateProvider', () => {
  it('warns about a server that does not list its models', () => {
    const inspection = { usable: true, reachable: true, authenticated: true, modelKnown: false, problem: 'Try it.' };
    expect(evaluateProvider({ name: 'openai', model: 'phi' }, inspection, NOW).at(-1)).toMatchObject({
      verdict: 'warn',
      advice: 'Try it.',
    });
  });
});
