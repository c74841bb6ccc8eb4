import type { LangGraphStoreResults } from '@annals/contracts';
import { createEmbeddingProvider } from '@annals/llm-core';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe("LangGraph's store without vectors", () => {
  let gateway: TestGateway;
  let key: string;
  let calls = 0;
  beforeAll(async () => {
    const embedder = Object.assign(createEmbeddingProvider({ provider: 'hashed' }), {
      embed: async () => {
        calls += 1;
        throw new Error('The model is not there.');
      },
    });
    gateway = await startGateway({ embedder });
    key = await gateway.makeKey({ tenantId: await gateway.makeTenant('without vectors') });
  });
  beforeEach(() => {
    calls = 0;
  });
  afterAll(() => gateway.close());

  const run = async (operations: readonly object[]) => {
    const sent = await gateway.send<LangGraphStoreResults>(key, 'POST', '/v1/langgraph/store/batch', {
      body: { operations },
    });
    expect(sent.status).toBe(200);
    return sent.body;
  };
  const put = (name: string) => ({
    op: 'put',
    namespace: ['n'],
    key: name,
    value: { text: `green tea ${name}` },
    index: ['text'],
  });
  const search = (mode: string, query = 'tea') => ({ op: 'search', namespace_prefix: [], query, mode });

  it('stores items, answers searches by words, and says so', async () => {
    expect(await run([put('a'), put('b')])).toEqual({ results: [{ op: 'put' }, { op: 'put' }], degraded: true });
    for (const mode of ['vector', 'hybrid'])
      expect(await run([search(mode)])).toMatchObject({
        results: [{ items: [{ score: expect.any(Number) }, { score: expect.any(Number) }] }],
        degraded: true,
      });
    expect(await run([search('text'), { op: 'get', namespace: ['n'], key: 'a' }])).toMatchObject({
      results: [{ items: [{}, {}] }, { item: { key: 'a' } }],
      degraded: false,
    });
  });

  it('does not wait for the model again and again', async () => {
    const puts = Array.from({ length: 100 }, (_, n) => put(`n${n}`));
    const searches = Array.from({ length: 20 }, (_, n) => search('vector', `tea ${n}`));
    expect((await run([...puts, ...searches])).degraded).toBe(true);
    expect(calls).toBe(2);
  });
});
