import { type FakeRerankServer, startFakeRerankServer } from '@annals/testing';
import { HttpReranker, type HttpRerankerOptions } from './http-reranker.js';

describe('HttpReranker', () => {
  let server: FakeRerankServer;
  beforeAll(async () => {
    server = await startFakeRerankServer();
  });
  afterAll(() => server.close());

  const { signal } = new AbortController();
  const create = (options: Partial<HttpRerankerOptions> = {}) =>
    new HttpReranker({
      api: 'cohere',
      url: `${server.origin}/v2/rerank`,
      apiKey: 'secret',
      model: 'rerank-model',
      scale: 'auto',
      microUsdPerRequest: 2_000,
      ...options,
    });
  const tei = { api: 'tei', url: '' } as const;
  const rerankRequest = {
    query: 'green tea',
    documents: ['Ann drinks coffee.', 'Ann likes green tea.', 'Tea is served.'],
  };

  it('calls a Cohere-compatible server and maps its sorted scores back to the documents', async () => {
    const answer = await create().rerank(rerankRequest, { signal });
    expect(answer.scores).toEqual([0, 1, 0.5]);
    expect(answer.usage).toEqual({ inputTokens: 10, costMicroUsd: 2_000 });
    expect(server.requests.at(-1)).toEqual({
      path: '/v2/rerank',
      authorization: 'Bearer secret',
      body: { model: 'rerank-model', query: 'green tea', documents: rerankRequest.documents, top_n: 3 },
    });
  });

  it('calls text-embeddings-inference with at most 32 texts per request', async () => {
    const documents = Array.from({ length: 70 }, (_, n) => (n === 40 ? 'green tea' : `text ${n}`));
    const reranker = create({ ...tei, url: `${server.origin}/rerank` });
    const before = server.requests.length;
    const { scores, usage } = await reranker.rerank({ query: 'green tea', documents }, { signal });
    expect(scores).toEqual(documents.map((_, n) => (n === 40 ? 1 : 0)));
    expect(server.requests.slice(before).map(({ body }) => body.texts?.length)).toEqual([32, 32, 6]);
    expect(usage).toMatchObject({ estimated: true, costMicroUsd: 6_000 });
    expect(reranker.estimateMaxCost({ query: '', documents })).toBe(6_000);
  });

  it('applies the sigmoid to logits, when configured or when any score is outside 0–1', async () => {
    server.plan({ kind: 'scores', scores: [-2, 0, 3] }, { kind: 'scores', scores: [0, 0.5, 1] });
    const [auto, logit] = [
      await create().rerank(rerankRequest, { signal }),
      await create({ scale: 'logit' }).rerank(rerankRequest, { signal }),
    ];
    const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
    expect(auto.scores).toEqual([-2, 0, 3].map(sigmoid));
    expect(logit.scores).toEqual([0, 0.5, 1].map(sigmoid));
  });

  it.each([
    [{ kind: 'error', status: 401 } as const, 'authentication'],
    [{ kind: 'error', status: 413 } as const, 'invalid_request'],
    [{ kind: 'error', status: 429, headers: { 'retry-after': '7' } } as const, 'rate_limit'],
    [{ kind: 'error', status: 503 } as const, 'transient'],
    [{ kind: 'garbage' } as const, 'transient'],
    [{ kind: 'scores', scores: [1, 0, 0], dropLast: true } as const, 'transient'],
  ])('maps %j to %s, without quoting the texts', async (plan, type) => {
    server.plan(plan);
    const failure = create().rerank(rerankRequest, { signal });
    await expect(failure).rejects.toMatchObject({ name: 'LLMError', type });
    await expect(failure).rejects.not.toThrow(/coffee|green|secret/);
    if ('headers' in plan) await expect(failure).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it('rejects with the reason of an aborted signal, and marks an unsent request', async () => {
    const abort = new AbortController();
    server.plan({ kind: 'hang' });
    const requestCount = server.requests.length;
    const waiting = create().rerank(rerankRequest, { signal: abort.signal });
    while (server.requests.length === requestCount) await new Promise(setImmediate);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const closed = await startFakeRerankServer();
    await closed.close();
    const unreachable = create({ url: `${closed.origin}/v2/rerank` }).rerank(rerankRequest, { signal });
    await expect(unreachable).rejects.toMatchObject({ type: 'transient', sent: false });
  });
});
