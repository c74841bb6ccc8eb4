import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import { ManualClock } from '@annals/domain';
import type { LLMError } from '../../provider/llm-error.js';
import { describeLLMProvider } from '../../provider/llm-provider.contract.js';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { connectOpenAI, useServers } from '../remote/connect.fixture.js';
import { buildOpenAIRequest } from './build-openai-request.js';
import { OpenAIProvider } from './openai-provider.js';

const start = useServers();

describeLLMProvider('openai', async () => connectOpenAI(await start()));
describeLLMProvider('a free compatible server', async () =>
  connectOpenAI(await start({ isCompatible: true, models: [fakeModel('llama3.2')] }), {
    model: 'llama3.2',
    isFree: true,
  }),
);

describe('OpenAIProvider', () => {
  it('requests the schema from the official API, without reasoning and without storage', () => {
    const request = sampleRequest();
    const target = { model: 'gpt-6-luna', isOfficial: true };
    expect(buildOpenAIRequest(target, request, { mode: 'schema', rejected: new Set() })).toEqual({
      model: 'gpt-6-luna',
      messages: [
        { role: 'system', content: request.prompt.system },
        { role: 'user', content: request.prompt.user },
      ],
      max_completion_tokens: 1_000,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'memory_llm_response_v1', schema: request.prompt.schema, strict: true },
      },
      reasoning_effort: 'none',
      store: false,
    });
  });

  it('uses the older parameter names for a compatible server', async () => {
    const server = await start({ isCompatible: true, models: [fakeModel('llama3.2')] });
    const provider = connectOpenAI(server, { model: 'llama3.2', isFree: true });
    await provider.stream(sampleRequest(), { onText: () => {} });
    const { body } = server.journal.entries[0]!.request;
    expect(Object.keys(body).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'response_format',
      'stream',
      'stream_options',
    ]);
  });

  it('prices tokens read from and written to the cache', async () => {
    const server = await start();
    server.plan({
      kind: 'answer',
      usage: { inputTokens: 5_000, cacheReadTokens: 3_000, cacheWriteTokens: 1_000, outputTokens: 200 },
    });
    const { usage, costMicroUsd } = await connectOpenAI(server).send(sampleRequest());
    expect(usage).toEqual({ inputTokens: 5_000, cacheReadTokens: 3_000, cacheWriteTokens: 1_000, outputTokens: 200 });
    expect(costMicroUsd).toBe(100 + 30 + 125 + 100);
  });

  it('costs 0 if calls are free, even for a model with a price', async () => {
    const provider = connectOpenAI(await start(), { isFree: true });
    expect((await provider.send(sampleRequest())).costMicroUsd).toBe(0);
    expect(provider.estimateMaxCost(sampleRequest())).toBe(0);
  });

  it.each(['before', 'inside', 'after'] as const)('ignores tool calls %s the answer', async (tools) => {
    const server = await start();
    const plain = (await connectOpenAI(server).send(sampleRequest())).text;
    server.plan({ kind: 'answer', tools, thinking: 'Hm.' }, { kind: 'answer', tools, thinking: 'Hm.' });
    const pieces: string[] = [];
    await connectOpenAI(server).stream(sampleRequest(), { onText: (piece) => void pieces.push(piece) });
    expect(pieces.join('')).toBe(plain);
    expect((await connectOpenAI(server).send(sampleRequest())).text).toBe(plain);
  });

  it('reports the rate limits of the response headers', async () => {
    const server = await start({ limits: { requestsPerMinute: 500, tokensPerMinute: 90_000 } });
    const { rateLimits, providerRequestId } = await connectOpenAI(server).send(sampleRequest());
    expect(providerRequestId).toMatch(/^req_\d+$/);
    expect(rateLimits).toMatchObject({ requests: { limit: 500, remaining: 499 }, tokens: { limit: 90_000 } });
  });

  it('rejects a model without a price, and says what to do', () => {
    const build = (isFree: boolean) =>
      new OpenAIProvider({
        apiKey: 'sk-test',
        model: 'gpt-next',
        timeoutMs: 1_000,
        isFree,
        catalog: loadPricingCatalog(),
        clock: new ManualClock(),
      });
    expect(() => build(false)).toThrow(
      'No price is known for the model in MEMORY_LLM_OPENAI_MODEL, so its budget cannot be enforced: add its price to the file in MEMORY_LLM_PRICING_CATALOG or, if its server is free of charge, set MEMORY_LLM_OPENAI_FREE=true.',
    );
    expect(build(true).estimateCost({ inputTokens: 1_000_000, outputTokens: 0 })).toBe(0);
  });

  it.each(['refusal', 'content_filter'] as const)('maps a %s to a policy error with its cost', async (stop) => {
    const server = await start();
    server.plan({ kind: 'answer', stop }, { kind: 'answer', stop });
    for (const answer of [
      connectOpenAI(server).send(sampleRequest()),
      connectOpenAI(server).stream(sampleRequest(), { onText: () => {} }),
    ]) {
      const error = (await answer.catch((caught: unknown) => caught)) as LLMError;
      expect(error).toMatchObject({ name: 'LLMError', type: 'policy', retryable: false });
      expect(error.usage?.inputTokens).toBeGreaterThan(0);
      expect(error.costMicroUsd).toBeGreaterThan(0);
    }
  });
});

describe('an answer whose connection breaks after its finish reason', () => {
  it('is returned with an estimated usage', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"{}"},"finish_reason":null}]}\n\n');
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n', () => response.destroy());
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const provider = new OpenAIProvider({
      apiKey: 'sk-test',
      model: 'gpt-6-luna',
      baseUrl,
      timeoutMs: 5_000,
      isFree: false,
      catalog: loadPricingCatalog(),
      clock: new ManualClock(),
    });
    const answer = await provider.stream(sampleRequest(), { onText: () => {} });
    expect(answer).toMatchObject({ text: '{}', finishReason: 'stop', usage: { estimated: true } });
    expect(answer.costMicroUsd).toBeGreaterThan(0);
    server.close();
  });
});

function fakeModel(id: string) {
  return { id, api: 'openai', price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } as const;
}
