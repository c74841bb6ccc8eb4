import { ManualClock } from '@annals/domain';
import { startFakeOpenAIEmbeddings } from '@annals/testing';
import type { FakeEmbeddingAnswer, FakeOpenAIEmbeddings, FakeOpenAIEmbeddingsOptions } from '@annals/testing';
import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import { describeEmbeddingProvider } from '../embedding-provider.contract.js';
import { OpenAIEmbedder } from './openai-embedder.js';
import type { OpenAIEmbedderOptions } from './openai-embedder.js';

const DIMENSIONS = 8;
const signal = new AbortController().signal;
let servers: FakeOpenAIEmbeddings[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function start(options: Partial<FakeOpenAIEmbeddingsOptions> = {}): Promise<FakeOpenAIEmbeddings> {
  const server = await startFakeOpenAIEmbeddings({ dimensions: DIMENSIONS, ...options });
  servers.push(server);
  return server;
}

function connect(server: FakeOpenAIEmbeddings, options: Partial<OpenAIEmbedderOptions> = {}): OpenAIEmbedder {
  return new OpenAIEmbedder({
    apiKey: 'sk-test',
    baseUrl: server.baseUrl,
    model: 'text-embedding-3-small',
    dimensions: DIMENSIONS,
    timeoutMs: 5_000,
    clock: new ManualClock(Date.UTC(2026, 0, 1)),
    ...options,
  });
}

async function failAfter(answer: FakeEmbeddingAnswer, options: Partial<OpenAIEmbedderOptions> = {}): Promise<unknown> {
  const server = await start();
  server.plan(answer);
  const error: unknown = await connect(server, options)
    .embed(['a secret'], { signal })
    .catch((caught: unknown) => caught);
  expect(server.requests).toHaveLength(1);
  return error;
}

describe('OpenAIEmbedder', () => {
  let shared: FakeOpenAIEmbeddings;
  beforeAll(async () => {
    shared = await startFakeOpenAIEmbeddings({ dimensions: DIMENSIONS });
  });
  afterAll(() => shared.close());
  describeEmbeddingProvider('openai', () => connect(shared));

  it('sends one request for a batch, with its key, model and dimensions', async () => {
    const server = await start();
    await connect(server).embed(['one', 'two', ''], { signal });
    expect(server.requests).toEqual([
      {
        path: '/v1/embeddings',
        authorization: 'Bearer sk-test',
        model: 'text-embedding-3-small',
        input: ['one', 'two', ' '],
        dimensions: DIMENSIONS,
        encoding_format: 'base64',
      },
    ]);
  });

  it('sends no dimensions to a model that cannot shorten its vectors', async () => {
    const server = await start();
    await connect(server, { model: 'nomic-embed-text' }).embed(['one'], { signal });
    expect(server.requests[0]).not.toHaveProperty('dimensions');
  });

  it('names the vector space by model and dimensions', async () => {
    const server = await start();
    expect(connect(server).model).toBe('text-embedding-3-small-8');
  });

  it('returns the same vectors for float and base64 responses', async () => {
    const [asBase64, asFloat] = [await start(), await start({ alwaysFloat: true })];
    const first = await connect(asBase64).embed(['one', 'two'], { signal });
    const second = await connect(asFloat).embed(['one', 'two'], { signal });
    expect(second.vectors).toEqual(first.vectors);
  });

  it('requests floats after a server has rejected base64, also in later calls', async () => {
    const server = await start({ refusesBase64: true });
    const embedder = connect(server);
    expect((await embedder.embed(['one'], { signal })).usage.requests).toBe(2);
    expect((await embedder.embed(['two'], { signal })).usage.requests).toBe(1);
    expect(server.requests.map(({ encoding_format }) => encoding_format)).toEqual(['base64', 'float', 'float']);
  });

  it('orders vectors by their index', async () => {
    const server = await start();
    const straight = await connect(server).embed(['one', 'two'], { signal });
    server.plan({ kind: 'vectors', reversed: true });
    expect((await connect(server).embed(['one', 'two'], { signal })).vectors).toEqual(straight.vectors);
  });

  it('splits texts over the limits of one request and joins the results', async () => {
    const server = await start();
    const texts = Array.from({ length: 2_050 }, (_, index) => `text ${index}`);
    const { vectors, usage } = await connect(server).embed(texts, { signal });
    expect(server.requests.map(({ input }) => input.length)).toEqual([2_048, 2]);
    expect([vectors.length, usage.requests]).toEqual([2_050, 2]);
    const [last] = (await connect(server).embed(['text 2049'], { signal })).vectors;
    expect(vectors.at(-1)).toEqual(last);
  });

  it('computes the cost in integer micro-USD, rounded up', async () => {
    const server = await start();
    const { usage } = await connect(server).embed(['x'.repeat(400)], { signal });
    expect(usage).toEqual({ inputTokens: 100, costMicroUsd: 2, requests: 1 });
    const catalog = loadPricingCatalog(
      JSON.stringify({
        version: 'ours',
        entries: [
          {
            provider: 'openai',
            model: 'our-model',
            kind: 'embedding',
            effectiveFrom: '2026-01-01',
            usdPerMillionTokens: { input: '1.00' },
          },
        ],
      }),
    );
    const priced = await connect(server, { model: 'our-model', catalog }).embed(['x'.repeat(400)], { signal });
    expect(priced.usage.costMicroUsd).toBe(100);
    const unpriced = await connect(server, { model: 'our-model' }).embed(['x'.repeat(400)], { signal });
    expect(unpriced.usage.costMicroUsd).toBe(0);
  });

  it('estimates tokens if the server reports none, and marks the usage as estimated', async () => {
    const server = await start();
    server.plan({ kind: 'vectors', withoutUsage: true });
    const { usage } = await connect(server).embed(['hello world'], { signal });
    expect(usage).toMatchObject({ inputTokens: 3, estimated: true });
  });

  it.each([
    [
      { kind: 'error', status: 429, headers: { 'retry-after': '3' } },
      { type: 'rate_limit', retryAfterMs: 3_000 },
    ],
    [{ kind: 'error', status: 429, error: { message: 'no', code: 'insufficient_quota' } }, { type: 'authentication' }],
    [
      { kind: 'error', status: 500 },
      { type: 'transient', status: 500, providerRequestId: 'req-1' },
    ],
    [{ kind: 'error', status: 503 }, { type: 'transient' }],
    [{ kind: 'error', status: 401 }, { type: 'authentication' }],
    [{ kind: 'error', status: 403 }, { type: 'authentication' }],
    [{ kind: 'error', status: 404 }, { type: 'invalid_request' }],
    [{ kind: 'error', status: 400 }, { type: 'invalid_request' }],
    [{ kind: 'garbage' }, { type: 'transient' }],
    [{ kind: 'vectors', dropLast: true }, { type: 'transient' }],
    [{ kind: 'vectors', dimensions: 5 }, { type: 'invalid_request' }],
  ] as [FakeEmbeddingAnswer, object][])(
    'maps %j to %j, without a retry and without quoting the text',
    async (answer, expected) => {
      const error = await failAfter(answer);
      expect(error).toMatchObject({ name: 'LLMError', provider: 'openai', ...expected });
      expect(JSON.stringify(error) + String(error)).not.toContain('secret');
    },
  );

  it('says how to configure the dimensions of the model', async () => {
    const error = await failAfter({ kind: 'vectors', dimensions: 5 });
    expect(String(error)).toContain('Set ANNALS_EMBEDDINGS_DIMENSIONS to 5.');
  });

  it.each(['hang', 'stall'] as const)('ends a call with a timeout when the server causes a %s', async (kind) => {
    const server = await start();
    server.plan({ kind });
    const clock = new ManualClock();
    const arrived = server.nextRequest();
    const embedding = connect(server, { clock, timeoutMs: 150 }).embed(['a secret'], { signal });
    await arrived;
    clock.advance(149);
    clock.advance(1);
    await expect(embedding).rejects.toMatchObject({ type: 'timeout' });
    expect(clock.waiting).toBe(0);
  });

  it('ends a call whose answer trickles without an end with a timeout, and closes its connection', async () => {
    const server = await start();
    server.plan({ kind: 'trickle' });
    const clock = new ManualClock();
    let hasEnded = false;
    const embedding = connect(server, { clock, timeoutMs: 150 })
      .embed(['a secret'], { signal })
      .catch((error: unknown) => error)
      .finally(() => (hasEnded = true));
    for (let sent = 0; sent < 5; sent += 1) await server.nextTrickle();
    clock.advance(149);
    for (let sent = 0; sent < 5; sent += 1) await server.nextTrickle();
    expect(hasEnded).toBe(false);
    clock.advance(1);
    expect(await embedding).toMatchObject({ name: 'LLMError', type: 'timeout', provider: 'openai' });
    await server.hasLeft;
    expect(clock.waiting).toBe(0);
  });

  it.each(['hang', 'stall'] as const)(
    'rejects with the reason of the signal when aborted during a %s',
    async (kind) => {
      const server = await start();
      server.plan({ kind });
      const controller = new AbortController();
      const arrived = server.nextRequest();
      const embedding = connect(server).embed(['one'], { signal: controller.signal });
      await arrived;
      const reason = new Error('stopped by the test');
      controller.abort(reason);
      await expect(embedding).rejects.toBe(reason);
    },
  );

  it('maps an unreachable server to a transient error', async () => {
    const server = await start();
    const embedder = connect(server);
    await server.close();
    await expect(embedder.embed(['one'], { signal })).rejects.toMatchObject({ type: 'transient' });
  });

  it('rejects a text over the input limit before sending', async () => {
    const server = await start();
    const embedding = connect(server).embed(['tea coffee '.repeat(5_000)], { signal });
    await expect(embedding).rejects.toMatchObject({ type: 'invalid_request' });
    expect(server.requests).toEqual([]);
  });
});
