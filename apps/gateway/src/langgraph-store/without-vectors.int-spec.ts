import type { LangGraphStoreResults } from '@annals/contracts';
import { createEmbeddingProvider } from '@annals/llm-core';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe("LangGraph's store without vectors", () => {
  let gateway: TestGateway;
  let key: string;
  let tenantId: string;
  let calls = 0;
  const sentToModel: string[] = [];
  beforeAll(async () => {
    const embedder = Object.assign(createEmbeddingProvider({ provider: 'hashed' }), {
      embed: async (texts: readonly string[]) => {
        calls += 1;
        sentToModel.push(...texts);
        throw new Error('The model is not there.');
      },
    });
    gateway = await startGateway({ embedder });
    tenantId = await gateway.makeTenant('without vectors');
    key = await gateway.makeKey({ tenantId });
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

  const readWork = () =>
    gateway.database.inTenant(tenantId, (tx) =>
      tx.query('SELECT w.kind, u.user_id FROM work w JOIN users u USING (subject_id)'),
    );
  const readTexts = async (name: string) => {
    const rows = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query<{ text: string }>(
        'SELECT t.text FROM langgraph_item_texts t JOIN langgraph_items i USING (item_id) WHERE i.key = $1 ORDER BY t.ordinal',
        [name],
      ),
    );
    return rows.map(({ text }) => text);
  };

  it('keeps the texts, and asks once for the vectors of a user', async () => {
    await run([put('asked'), put('again')]);
    expect(await readWork()).toEqual([{ kind: 'item_vectors', user_id: 'langgraph-store' }]);
    expect(await readTexts('asked')).toEqual(['green tea asked']);
    await run([{ ...put('asked'), value: { text: 'black tea' } }]);
    expect(await readTexts('asked')).toEqual(['black tea']);
    await run([{ ...put('asked'), index: false }]);
    expect(await readTexts('asked')).toEqual([]);
  });

  it('sends no part of a personal datum to the model that lies across the end of a text', async () => {
    const filler = 'a b '.repeat(5_000);
    const email = 'mary.quixotrium@example.com';
    const values = [7_980, 7_990, 11_980, 11_990].map((start) => `${filler.slice(0, start)} ${email} ${filler}`);
    sentToModel.length = 0;
    await run([{ ...put('long'), value: { list: values, whole: { inner: values[0] } }, index: ['list[*]', 'whole'] }]);
    const stored = await readTexts('long');
    expect([stored.length, sentToModel.length > 0]).toEqual([5, true]);
    for (const text of [...stored, ...sentToModel]) {
      expect(text.length).toBeLessThanOrEqual(8_000);
      expect(text).not.toMatch(/mary|quixo|example/);
    }
  });

  it('does not wait for the model again and again', async () => {
    const puts = Array.from({ length: 100 }, (_, n) => put(`n${n}`));
    const searches = Array.from({ length: 20 }, (_, n) => search('vector', `tea ${n}`));
    expect((await run([...puts, ...searches])).degraded).toBe(true);
    expect(calls).toBe(2);
  });
});
