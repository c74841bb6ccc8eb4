import type { MemoryQueryAnswer } from '@annals/contracts';
import { type FakeRerankServer, startFakeRerankServer } from '@annals/testing';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('queries with a reranker', () => {
  let server: FakeRerankServer;
  let gateway: TestGateway;
  let fixture: MemoryFixture;
  const texts = ['The user likes green tea', 'The user likes black tea', 'The user lives in Lisbon'];

  beforeAll(async () => {
    server = await startFakeRerankServer();
    gateway = await startGateway({
      env: {
        ANNALS_RERANK: 'http',
        ANNALS_RERANK_URL: `${server.origin}/v2/rerank`,
        ANNALS_RERANK_MODEL: 'tiny',
        ANNALS_RERANK_USD_PER_REQUEST: '0.002',
      },
    });
    fixture = await MemoryFixture.open(gateway, 'reranked');
    for (const text of texts) await fixture.addMemory('ada', text);
  });
  beforeEach(() => void (server.requests.length = 0));
  afterAll(async () => {
    await gateway?.close();
    await server.close();
  });

  const queryMemory = async (rest: object = {}) =>
    (
      await fixture.queryMemory<MemoryQueryAnswer>({
        query: 'Which tea?',
        filters: { user_id: 'ada' },
        explain: true,
        ...rest,
      })
    ).body;
  /** Scores for the documents of the next request, by their texts. */
  const score = (scores: readonly number[]) => server.plan({ kind: 'scores', scores });

  it('are answered in the reranker’s order, above its threshold', async () => {
    score([0.4, 0.9, 0.2]);
    const answer = await queryMemory();
    const documents = server.requests[0]!.body.documents!;
    expect(documents.toSorted()).toEqual(texts.toSorted());
    expect(answer.memories.map(({ text }) => text)).toEqual([
      expect.stringContaining(documents[1]!),
      expect.stringContaining(documents[0]!),
    ]);
    expect(answer).toMatchObject({ degraded: false, explain: { reranker: { model: 'tiny', failed: null } } });
    expect(answer.explain!.kept.map(({ scores }) => scores.rerank)).toEqual([0.9, 0.4]);
    expect(answer.explain!.dropped).toMatchObject([{ why: 'rerank' }]);
  });

  it('apply a higher threshold of the caller to the reranker’s scores', async () => {
    score([0.4, 0.9, 0.2]);
    expect((await queryMemory({ threshold: 0.5 })).memories).toHaveLength(1);
  });

  it('are answered without it, as degraded, when it fails', async () => {
    server.plan({ kind: 'error', status: 400 });
    const answer = await queryMemory();
    expect(answer.degraded).toBe(true);
    expect(answer.memories.length).toBeGreaterThan(1);
    expect(answer.explain!.reranker).toMatchObject({ model: 'tiny', failed: expect.any(String) });
    expect(answer.explain!.kept.map(({ scores }) => scores.rerank)).not.toContainEqual(expect.any(Number));
  });

  it('do not call it for a request without a query', async () => {
    expect((await queryMemory({ query: undefined })).memories).toHaveLength(3);
    expect(server.requests).toEqual([]);
  });

  it('are answered without it when the budget is exhausted, without a call', async () => {
    const poor = await MemoryFixture.open(gateway, 'poor');
    await poor.addMemory('ada', texts[0]!);
    const budget = await gateway.send(poor.key, 'PUT', '/v1/admin/budgets', { body: { daily_limit_micro_usd: 1 } });
    expect(budget.status).toBe(200);
    const { body } = await poor.queryMemory<MemoryQueryAnswer>({
      query: 'tea',
      filters: { user_id: 'ada' },
      explain: true,
    });
    expect(body).toMatchObject({ degraded: true, explain: { reranker: { failed: 'budget_exceeded' } } });
    expect(body.memories).toHaveLength(1);
    expect(server.requests).toEqual([]);
  });
});
