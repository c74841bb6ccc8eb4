import { ManualClock } from '@annals/domain';
import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { readUsage, setTenantBudget } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { EmbeddingTimeouts } from '../config.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

/** Longer than any response of the server below takes, even on a slow machine. */
const LONG_TIMEOUTS: EmbeddingTimeouts = { answerMs: 60_000, callMs: 50_000 };
/** A hanging call ends long before the request that waits for it. */
const SHORT_TIMEOUTS: EmbeddingTimeouts = { answerMs: 60_000, callMs: 500 };

const VECTOR = Buffer.from(Float32Array.from([1, 0, 0, 0]).buffer).toString('base64');

/** An embedding server that answers on command. */
class FakeEmbeddingServer {
  readonly waiting: ServerResponse[] = [];
  /** Bodies of requests. */
  readonly requests: string[] = [];
  mode: 'answer' | 'wait' | 'refuse' = 'answer';
  private readonly server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      this.requests.push(body);
      if (this.mode === 'wait') this.waiting.push(response);
      else this.respond(response);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
  respond(response: ServerResponse): void {
    response.writeHead(this.mode === 'refuse' ? 401 : 200, { 'content-type': 'application/json' });
    const data = [{ object: 'embedding', index: 0, embedding: VECTOR }];
    response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 7, total_tokens: 7 } }));
  }
}

describe('queries with a remote embedder', () => {
  const server = new FakeEmbeddingServer();
  let embedder: EmbeddingProvider;
  let gateway: TestGateway;

  beforeAll(async () => {
    embedder = createEmbeddingProvider({
      provider: 'openai',
      baseUrl: await server.start(),
      apiKey: 'key',
      model: 'text-embedding-3-small',
      dimensions: 4,
      timeoutMs: 60_000,
      clock: new ManualClock(Date.UTC(2026, 10, 1)),
    });
    gateway = await startGateway({ embedder, embeddingTimeouts: LONG_TIMEOUTS });
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.mode = 'answer';
    server.waiting.length = 0;
  });
  afterAll(async () => {
    await gateway?.close();
    await server.stop();
  });

  const queryMemory = async (key: string, query: string, target = gateway) => {
    const { status, body } = await target.send<{ degraded: boolean }>(key, 'POST', '/v1/memory/query', {
      body: { query, filters: { user_id: 'ada' } },
    });
    return { status, degraded: body.degraded };
  };
  const usageOf = async (tenantId: string) => {
    const usage = await gateway.database.inTenant(tenantId, (tx) =>
      readUsage(tx, { from: '2020-01-01', to: '2100-01-01', groupBy: 'call', limit: 200 }),
    );
    return usage.items.map(({ outcome, costMicroUsd, inputTokens }) => [outcome, costMicroUsd, inputTokens]);
  };

  it('are charged, once for the same text', async () => {
    const tenantId = await gateway.makeTenant('payer');
    const key = await gateway.makeKey({ tenantId });
    for (const query of ['What does she drink?', 'What does she drink?']) {
      expect(await queryMemory(key, query)).toEqual({ status: 200, degraded: false });
    }
    expect(await usageOf(tenantId)).toEqual([['ok', 1, 7]]);
  });

  it('are sent concurrently', async () => {
    const tenantId = await gateway.makeTenant('many');
    const key = await gateway.makeKey({ tenantId });
    server.mode = 'wait';
    const responses = Promise.all(Array.from({ length: 8 }, (_, n) => queryMemory(key, `Question ${n}?`)));
    // No response is sent before all requests have arrived.
    await waitUntil(() => server.waiting.length === 8, { describe: 'all have arrived' });
    for (const response of server.waiting) server.respond(response);
    expect(await responses).toEqual(Array.from({ length: 8 }, () => ({ status: 200, degraded: false })));
    expect(await usageOf(tenantId)).toHaveLength(8);
  });

  it('are answered by lexical search when the budget is exhausted, without a call', async () => {
    const tenantId = await gateway.makeTenant('poor');
    const key = await gateway.makeKey({ tenantId });
    await gateway.database.inTenant(tenantId, (tx) => setTenantBudget(tx, 1, Date.UTC(2026, 10, 1)));
    expect(await queryMemory(key, 'What does she drink on a Sunday morning, when nobody looks? '.repeat(9))).toEqual({
      status: 200,
      degraded: true,
    });
    expect(server.requests).toEqual([]);
    expect(gateway.log.join('')).toContain('"reason":"budget_exceeded"');
  });

  it('are answered by lexical search when the server refuses the call, at no cost', async () => {
    const tenantId = await gateway.makeTenant('refused');
    const key = await gateway.makeKey({ tenantId });
    server.mode = 'refuse';
    expect(await queryMemory(key, 'Who is she?')).toEqual({ status: 200, degraded: true });
    expect(await usageOf(tenantId)).toEqual([['authentication', 0, 0]]);
  });

  it('do not wait for a hanging server once its circuit is open', async () => {
    const shortTimeoutGateway = await startGateway({ embedder, embeddingTimeouts: SHORT_TIMEOUTS });
    try {
      const key = await shortTimeoutGateway.makeKey({ tenantId: await shortTimeoutGateway.makeTenant('hanging') });
      server.mode = 'wait';
      const hang = await Promise.all(
        Array.from({ length: 20 }, (_, n) => queryMemory(key, `Hanging ${n}?`, shortTimeoutGateway)),
      );
      expect(hang.every(({ status, degraded }) => status === 200 && degraded)).toBe(true);
      const readCircuit = () =>
        shortTimeoutGateway.infrastructure.modelCalls!.readCircuit(embedder.name, embedder.model);
      await waitUntil(async () => (await readCircuit()).state === 'open', { describe: 'the circuit is open' });
      expect(server.requests.join()).toContain('Hanging');
      expect(await queryMemory(key, 'And now?', shortTimeoutGateway)).toEqual({ status: 200, degraded: true });
      expect(server.requests.join()).not.toContain('And now?');
    } finally {
      await shortTimeoutGateway.close();
    }
  });
});
