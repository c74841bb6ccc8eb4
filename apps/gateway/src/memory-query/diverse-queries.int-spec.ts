import type { MemoryQueryAnswer } from '@annals/contracts';
import { SystemClock } from '@annals/domain';
import { createEmbeddingProvider } from '@annals/llm-core';
import { type FakeOpenAIEmbeddings, startFakeOpenAIEmbeddings } from '@annals/testing';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const QUERY = 'Which dinner suits her?';
const VEGETARIAN = 'The user is a vegetarian';
const NO_MEAT = 'No dish of meat is ever served at her table';
const WINDOW = 'She prefers to sit by the window';

/** The first two are nearest to the query, and near each other; they share no words. */
const VECTORS: Readonly<Record<string, readonly number[]>> = {
  [QUERY]: [1, 0, 0, 0],
  [VEGETARIAN]: [0.5, 0.86, 0.1, 0],
  [NO_MEAT]: [0.49, 0.865, 0.11, 0],
  [WINDOW]: [0.45, 0, 0, 0.89],
};

describe('queries of memories that say the same in other words', () => {
  let server: FakeOpenAIEmbeddings;
  let gateway: TestGateway;

  beforeAll(async () => {
    server = await startFakeOpenAIEmbeddings({ dimensions: 4, vectorOf: (text) => VECTORS[text] ?? [0, 0, 1, 0] });
    const embedder = createEmbeddingProvider({
      provider: 'openai',
      baseUrl: server.baseUrl,
      apiKey: 'key',
      model: 'text-embedding-3-small',
      dimensions: 4,
      timeoutMs: 60_000,
      clock: new SystemClock(),
    });
    gateway = await startGateway({ embedder, embeddingTimeouts: { answerMs: 60_000, callMs: 50_000 } });
  });
  afterAll(async () => {
    await gateway?.close();
    await server?.close();
  });

  it('hold one of them among the first, and then something else', async () => {
    const fixture = await MemoryFixture.open(gateway, 'diverse');
    for (const content of [NO_MEAT, WINDOW, VEGETARIAN]) {
      const body = { user_id: 'ada', content, category: 'preferences' };
      expect((await gateway.send(fixture.key, 'POST', '/v1/memories', { body })).status).toBe(201);
    }
    const { body } = await fixture.queryMemory<MemoryQueryAnswer>({
      query: QUERY,
      filters: { user_id: 'ada' },
      top_k: 2,
      explain: true,
    });
    expect(body.memories.map(({ text }) => text)).toEqual([
      expect.stringContaining(VEGETARIAN),
      expect.stringContaining(WINDOW),
    ]);
    expect(body.explain!.dropped).toMatchObject([{ why: 'diversity' }]);
  });
});
