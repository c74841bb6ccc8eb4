import { createReranker, type Reranker } from '@annals/llm-core';
import { type FakeRerankServer, startFakeRerankServer, waitUntil } from '@annals/testing';
import { meterReranker } from './metered-reranker.js';
import { ModelCallsFixture, sum, UNLIMITED } from './model-calls.fixture.js';

describe('a metered reranker', () => {
  let fixture: ModelCallsFixture;
  let server: FakeRerankServer;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await ModelCallsFixture.open();
    server = await startFakeRerankServer();
  });
  beforeEach(async () => {
    fixture.beginDay();
    tenantId = await fixture.makeTenant();
  });
  afterAll(async () => {
    await server.close();
    await fixture.close();
  });

  const createHttp = () =>
    createReranker({
      kind: 'http',
      api: 'cohere',
      url: `${server.origin}/v2/rerank`,
      model: 'm',
      scale: 'auto',
      microUsdPerRequest: 2_000,
    }) as Reranker;
  const openReranker = async (deploymentMicroUsd: number | null, timeoutMs = 5_000) => {
    const { calls } = await fixture.openInstance({ spending: { ...UNLIMITED, deploymentMicroUsd } });
    return meterReranker(createHttp(), calls, { clock: fixture.clock, timeoutMs });
  };
  const request = { query: 'tea', documents: ['Ann likes tea.', 'Bob likes jazz.'] };
  const options = () => ({
    signal: new AbortController().signal,
    billingContext: { tenantId, userId: null, batch: null },
  });
  const spent = async () => sum((await fixture.readLedger(fixture.today)).spentByTenant.values());

  it('records the cost of a call in the ledger, and sends no call that would exceed the budget', async () => {
    const reranker = await openReranker(3_000);
    expect((await reranker.rerank(request, options())).scores).toEqual([1, 0]);
    expect(await spent()).toBe(2_000);
    const sent = server.requests.length;
    await expect(reranker.rerank(request, options())).rejects.toMatchObject({ type: 'budget_exceeded' });
    expect(server.requests).toHaveLength(sent);
    const rows = await fixture.database.readTenant(tenantId, (tx) =>
      tx.query('SELECT operation, provider, model, outcome, cost_micro_usd FROM usage'),
    );
    expect(rows).toEqual([
      { operation: 'rerank', provider: 'rerank', model: 'm', outcome: 'ok', cost_micro_usd: '2000' },
    ]);
  });

  it('charges nothing for a refused call, and the maximum when the cost is unknown', async () => {
    const longTimeout = await openReranker(null);
    server.plan({ kind: 'error', status: 429 });
    await expect(longTimeout.rerank(request, options())).rejects.toMatchObject({ type: 'rate_limit' });
    expect(await spent()).toBe(0);
    const shortTimeout = await openReranker(null, 200);
    server.plan({ kind: 'hang' });
    const known = server.requests.length;
    const failing = shortTimeout.rerank(request, options()).catch((error: unknown) => error);
    await waitUntil(() => server.requests.length > known, { describe: 'the request has arrived' });
    fixture.clock.advance(200);
    expect(await failing).toMatchObject({ type: 'timeout' });
    expect(await spent()).toBe(2_000);
  });

  it('is not metered inside the process', () => {
    const inside: Reranker = {
      name: 'onnx',
      model: 'm',
      rerank: async () => ({ scores: [], usage: { inputTokens: 0, costMicroUsd: 0 } }),
      estimateMaxCost: () => 0,
    };
    expect(meterReranker(inside, null, { clock: fixture.clock, timeoutMs: 1 })).toBe(inside);
    expect(() => meterReranker(createHttp(), null, { clock: fixture.clock, timeoutMs: 1 })).toThrow(/configuration/);
  });
});
