import { ManualClock } from '@annals/domain';
import { createEmbeddingProvider } from '@annals/llm-core';
import { type FakeModels, startFakeModels } from '@annals/testing';
import { checkEmbeddings } from './check-embeddings.js';

const { signal } = new AbortController();
let fake: FakeModels;
beforeEach(async () => {
  fake = await startFakeModels();
});
afterEach(() => fake.close());

function connect(dimensions = 1_536) {
  return createEmbeddingProvider({
    provider: 'openai',
    baseUrl: fake.openaiUrl,
    apiKey: 'sk-hush',
    model: 'text-embedding-3-small',
    dimensions,
    timeoutMs: 5_000,
    clock: new ManualClock(0),
  });
}

describe('checkEmbeddings', () => {
  it('requests one vector and reports its cost', async () => {
    const { finding, spentMicroUsd } = await checkEmbeddings(connect(), { isOffline: false, signal });
    expect(finding).toMatchObject({ verdict: 'ok', found: expect.stringContaining('1536 dimensions') });
    expect(spentMicroUsd).toBe(1);
  });

  it('fails for vectors of other dimensions and for a server that returns an error', async () => {
    fake.planFor('embeddings', { kind: 'answer', text: '{"data":[{"index":0,"embedding":[1,2]}]}' });
    const wrong = await checkEmbeddings(connect(), { isOffline: false, signal });
    expect(wrong.finding).toMatchObject({ verdict: 'fail' });
    fake.planFor('embeddings', { kind: 'error', status: 401 });
    const refused = await checkEmbeddings(connect(), { isOffline: false, signal });
    expect(refused.finding).toMatchObject({ verdict: 'fail' });
  });

  it('loads a model inside the process, also offline, and says what is missing', async () => {
    const embedder = createEmbeddingProvider({
      provider: 'onnx',
      modelFolder: '/models/none',
      runtimeFolder: '/models',
      dimensions: 3,
      pooling: 'mean',
    });
    const { finding } = await checkEmbeddings(embedder, { isOffline: true, signal });
    expect(finding).toMatchObject({ verdict: 'fail' });
    expect(JSON.stringify(finding)).toContain('npm run onnx');
  });

  it('calls no server when offline, and none for hashed vectors', async () => {
    const offline = await checkEmbeddings(connect(), { isOffline: true, signal });
    const hashed = await checkEmbeddings(createEmbeddingProvider({ provider: 'hashed' }), { isOffline: false, signal });
    expect([offline.finding.verdict, hashed.finding.verdict]).toEqual(['skip', 'ok']);
    expect(fake.journal.entries).toEqual([]);
  });
});
