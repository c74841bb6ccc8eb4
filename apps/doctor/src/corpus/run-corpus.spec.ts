import { ManualClock } from '@annals/domain';
import { createProvider, loadPricingCatalog, type LLMProvider } from '@annals/llm-core';
import { type FakeModels, startFakeModels } from '@annals/testing';
import { runCorpus, estimateMaxCorpusCost } from './run-corpus.js';
import { CORPUS } from './corpus.js';
import { evaluateCorpus, evaluateStructuredOutput } from './evaluate-corpus.js';

const OPTIONS = { maxOutputTokens: 4_096, streaming: true, signal: new AbortController().signal };
let fake: FakeModels;
let provider: LLMProvider;
beforeEach(async () => {
  fake = await startFakeModels();
  provider = createProvider({
    provider: 'claude',
    apiKey: 'k',
    model: 'claude-haiku-5-5',
    baseUrl: fake.anthropicUrl,
    timeoutMs: 5_000,
    catalog: loadPricingCatalog(),
    clock: new ManualClock(Date.UTC(2026, 10, 22)),
  });
});
afterEach(() => fake.close());

async function evaluate(): Promise<string[]> {
  const findings = evaluateCorpus('claude', await runCorpus(provider, OPTIONS));
  return findings.map(({ check, verdict }) => `${check} ${verdict}`);
}

describe('runCorpus and evaluateCorpus', () => {
  it('pass a good model, at no more than the estimated maximum cost', async () => {
    const outcome = await runCorpus(provider, OPTIONS);
    expect(evaluateCorpus('claude', outcome).map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok']);
    expect(outcome.spentMicroUsd).toBeGreaterThan(0);
    expect(outcome.spentMicroUsd).toBeLessThanOrEqual(estimateMaxCorpusCost(provider, OPTIONS));
    const charged = fake.journal.summarize().costNanoUsd / 1_000;
    expect(Math.abs(outcome.spentMicroUsd - charged)).toBeLessThan(CORPUS.length);
    expect(evaluateStructuredOutput('claude', provider.getCapabilities().structuredOutput)).toMatchObject([
      { verdict: 'ok' },
    ]);
  });

  it('do not stream when streaming is disabled', async () => {
    await runCorpus(provider, { ...OPTIONS, streaming: false });
    expect(fake.journal.entries.map(({ request }) => request.stream)).toEqual(CORPUS.map(() => false));
  });

  it('fail a model that answers in prose, invents quotes or finds nothing', async () => {
    fake.behave(() => ({ kind: 'answer', text: 'Sorry.' }));
    expect(await evaluate()).toEqual(['claude.answers fail', 'claude.facts fail', 'claude.grounding fail']);
    const invented = {
      content: 'The user is rich.',
      category: 'profile',
      evidence: [{ message_id: 'm1', quote: 'rich' }],
    };
    const text = JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories: [invented] });
    fake.behave(() => ({ kind: 'answer', text }));
    expect(await evaluate()).toEqual(['claude.answers ok', 'claude.facts fail', 'claude.grounding fail']);
  });

  it('stop at the first error that is not retryable, and at the second error of any kind', async () => {
    fake.plan({ kind: 'spend_limit' });
    expect(await evaluate()).toEqual(['claude.corpus fail']);
    expect(fake.journal.entries).toHaveLength(1);
    fake.behave(() => ({ kind: 'error', status: 500 }));
    expect(await evaluate()).toEqual(['claude.corpus fail', 'claude.corpus fail']);
    expect(fake.journal.entries).toHaveLength(3);
  });
});

describe('evaluateStructuredOutput', () => {
  it.each([
    ['schema', ['ok']],
    ['json_object', ['ok']],
    ['text', ['warn']],
    ['unknown', []],
  ] as const)('evaluates %s', (mode, verdicts) => {
    expect(evaluateStructuredOutput('openai', mode).map(({ verdict }) => verdict)).toEqual(verdicts);
  });
});
