import { ManualClock } from '@annals/domain';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { NOW, connectClaude, connectOpenAI, useServers } from './connect.fixture.js';

const start = useServers();
const signal = new AbortController().signal;
const MODEL = { price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } } as const;
const CONNECT = { claude: connectClaude, openai: connectOpenAI } as const;
const MODELS = { claude: 'claude-haiku-4-5', openai: 'gpt-5.6-luna' } as const;
const APIS = { claude: 'anthropic', openai: 'openai' } as const;
const NAMES = ['claude', 'openai'] as const;

describe.each(NAMES)('inspectModel for %s', (name) => {
  const connect = CONNECT[name];
  const model = MODELS[name];
  const sell = (retiresOn?: string) => ({
    models: [{ ...MODEL, id: model, api: APIS[name], ...(retiresOn ? { retiresOn } : {}) }],
  });

  it('sends only requests that cost nothing', async () => {
    const server = await start(sell());
    expect(await connect(server, { model }).validateConfig()).toBe(true);
    expect(server.journal.summarize().calls).toEqual({ models: 1 });
  });

  it('reports the date on which the model is shut down', async () => {
    const server = await start(sell('2027-01-14'));
    const inspection = await connect(server, { model }).inspect(signal);
    expect(inspection).toMatchObject({ usable: true, modelKnown: true, retiresOn: '2027-01-14' });
  });

  it('reports a model that was shut down as unusable', async () => {
    const server = await start(sell('2027-01-14'));
    const clock = new ManualClock(Date.UTC(2027, 0, 14));
    const inspection = await connect(server, { model, clock }).inspect(signal);
    expect(inspection).toMatchObject({ usable: false, modelKnown: true, retiresOn: '2027-01-14' });
    expect(inspection.problem).toBe(
      `${name} switched the model ${model} off on 2027-01-14: set MEMORY_LLM_${name.toUpperCase()}_MODEL to another one.`,
    );
  });

  it('reports an unknown model as unusable', async () => {
    const inspection = await connect(await start({ models: [] }), { model }).inspect(signal);
    expect(inspection).toMatchObject({ usable: false, reachable: true, authenticated: true, modelKnown: false });
    expect(inspection.problem).toContain(
      `does not know the model ${model}: set MEMORY_LLM_${name.toUpperCase()}_MODEL`,
    );
  });

  it('reports a wrong key', async () => {
    const inspection = await connect(await start(), { apiKey: 'sk-wrong' }).inspect(signal);
    expect(inspection).toMatchObject({ usable: false, reachable: true, authenticated: false });
    expect(inspection.problem).toBe(
      `${name} refuses the key (status 401): check MEMORY_LLM_${name.toUpperCase()}_API_KEY.`,
    );
  });

  it('reports an unreachable server', async () => {
    const server = await start();
    const provider = connect(server);
    await server.close();
    expect(await provider.inspect(signal)).toEqual({
      usable: false,
      reachable: false,
      authenticated: false,
      modelKnown: false,
      problem: `${name} could not be reached: check its base URL and the network.`,
    });
    expect(await provider.validateConfig()).toBe(false);
  });

  it.each([429, 500, 503])('reports a server that answers with %i as unusable', async (status) => {
    const server = await start();
    server.planFor('models', { kind: 'error', status });
    const inspection = await connect(server).inspect(signal);
    expect(inspection).toMatchObject({ usable: false, reachable: true, modelKnown: false });
    expect(inspection.problem).toContain(`status ${status}`);
  });

  it('resolves without an error when aborted', async () => {
    const inspection = await connect(await start()).inspect(AbortSignal.abort());
    expect(inspection.usable).toBe(false);
  });

  it('uses the list of models if the server implements only that', async () => {
    const server = await start(sell());
    server.planFor('models', { kind: 'error', status: 404 });
    expect(await connect(server, { model }).inspect(signal)).toMatchObject({ usable: true, modelKnown: true });
  });

  it('accepts a server without a models API, with a problem text', async () => {
    const server = await start(sell());
    server.planFor('models', { kind: 'error', status: 404 }, { kind: 'error', status: 404 });
    const inspection = await connect(server, { model }).inspect(signal);
    expect(inspection).toMatchObject({ usable: true, reachable: true, modelKnown: false });
    expect(inspection.problem).toContain('the first call will show whether it has');
  });
});

it('inspectModel finds a model of Ollama by its name without tag', async () => {
  const server = await start({ models: [{ ...MODEL, id: 'llama3.2:latest', api: 'openai' }] });
  const provider = connectOpenAI(server, { model: 'llama3.2', isFree: true });
  expect(await provider.inspect(signal)).toMatchObject({ usable: true, modelKnown: true });
});

it.each(NAMES)('a call to %s never costs more than its estimated maximum, for prompts of any size', async (name) => {
  const server = await start();
  const provider = CONNECT[name](server);
  for (const length of [1, 1_000, 150_000]) {
    const message = { id: 'm1', role: 'user' as const, actorId: null, content: 'é'.repeat(length), createdAt: NOW };
    const request = sampleRequest({ conversation: { messages: [message], context: [] } });
    const maxCost = provider.estimateMaxCost(request);
    server.plan({
      kind: 'answer',
      usage: { inputTokens: 2 * length, cacheWriteTokens: 2 * length, outputTokens: request.maxOutputTokens },
    });
    expect((await provider.send(request)).costMicroUsd).toBeLessThanOrEqual(maxCost);
  }
});
