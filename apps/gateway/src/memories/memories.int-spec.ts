import type { HistoryPage, Memory, MemoryPage, MemoryQueryAnswer, MemoryWritten, QueryHit } from '@annals/contracts';
import { createEmbeddingProvider, type EmbeddingProvider, LLMError } from '@annals/llm-core';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

/** The hashed embedder, which can be made to fail. */
function createBreakableEmbedder(): EmbeddingProvider & { broken: boolean } {
  const hashed = createEmbeddingProvider({ provider: 'hashed' });
  return {
    name: hashed.name,
    model: hashed.model,
    dimensions: hashed.dimensions,
    profile: hashed.profile,
    broken: false,
    async embed(texts, options) {
      if (this.broken) throw new LLMError('transient', 'The server is away.');
      return hashed.embed(texts, options);
    },
    estimateMaxCost: () => 0,
  };
}

describe('memories over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  const embedder = createBreakableEmbedder();
  beforeAll(async () => {
    gateway = await startGateway({ embedder });
    tenantId = await gateway.makeTenant('memories');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const add = (user_id: string, content: string, rest = {}) =>
    gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
      body: { user_id, content, category: 'preferences', ...rest },
    });
  const patch = (id: string, body: object) => gateway.send<MemoryWritten>(key, 'PATCH', `/v1/memories/${id}`, { body });
  const queryMemory = (user_id: string, query: string, rest = {}) =>
    gateway.send<MemoryQueryAnswer>(key, 'POST', '/v1/memory/query', {
      body: { query, filters: { user_id }, ...rest },
    });

  it('adds a memory with 201 and answers 200 when it already exists', async () => {
    const first = await add('u1', 'Ann likes green tea.');
    expect(first).toMatchObject({
      status: 201,
      body: { outcome: 'inserted', memory: { origin: 'manual', state: 'active' } },
    });
    const again = await add('u1', 'ann likes green tea!');
    expect(again.status).toBe(200);
    expect(again.body.memory.id).toBe(first.body.memory.id);
  });

  it('renews the relations of a memory whose content changes, and brings the old ones back with an undo', async () => {
    const relatedTo = async ({ id }: { readonly id: string }) => {
      const { body } = await gateway.send<{ items: { id: string }[] }>(key, 'GET', `/v1/memories/${id}/related`);
      return body.items.map((item) => item.id);
    };
    const { memory: bus } = (await add('renewed', 'Ann takes the bus to work.')).body;
    const { memory: violin } = (await add('renewed', 'Ann plays the violin in an orchestra.')).body;
    const { memory: train } = (await add('renewed', 'Ann takes the train to work.')).body;
    expect(await relatedTo(bus)).toEqual([train.id]);
    const { memory: cello } = (await patch(train.id, { content: 'Ann plays the cello in an orchestra.' })).body;
    expect(await relatedTo(cello)).toEqual([violin.id]);
    expect(await relatedTo(bus)).toEqual([]);
    await gateway.send(key, 'POST', `/v1/memories/${train.id}/undo`);
    expect(await relatedTo(bus)).toEqual([train.id]);
    expect(await relatedTo(violin)).toEqual([]);
    const { memory: tram } = (await add('renewed', 'Ann takes the tram to work.')).body;
    await gateway.send(key, 'DELETE', `/v1/memories/${tram.id}`);
    const { memory: ferry } = (await add('renewed', 'Ann takes the ferry to work.')).body;
    expect(await relatedTo(ferry)).not.toContain(tram.id);
    await gateway.send(key, 'POST', `/v1/memories/${tram.id}/restore`);
    expect(await relatedTo(ferry)).toContain(tram.id);
  });

  it('links similar memories, and supersedes conflicting ones', async () => {
    const bus = await add('near', 'Ann takes the bus to work.');
    const train = await add('near', 'Ann takes the train to work.');
    const related = await gateway.send<{ items: { id: string }[] }>(
      key,
      'GET',
      `/v1/memories/${train.body.memory.id}/related`,
    );
    expect(JSON.stringify(related.body)).toContain(bus.body.memory.id);
    const lisbon = await add('near', 'Ann lives in Lisbon.');
    const porto = await add('near', 'Ann moved to Porto.');
    expect(porto).toMatchObject({ status: 201, body: { outcome: 'superseded' } });
    const { body } = await gateway.send<Memory>(key, 'GET', `/v1/memories/${lisbon.body.memory.id}`);
    expect(body.superseded_by).toBe(porto.body.memory.id);
  });

  it('redacts manually written memories', async () => {
    const { body } = await add('u1', 'Ann reads mail at ann@example.com.');
    expect(body.memory.content).toMatch(/^Ann reads mail at \[email [0-9a-f]{16}\]\.$/);
  });

  it('changes attributes of a memory in place, and its content by superseding it', async () => {
    const { body: added } = await add('u2', 'Bob lives in Bonn.');
    const edited = await patch(added.memory.id, { pinned: true, importance: 5 });
    expect(edited).toMatchObject({
      status: 200,
      body: { outcome: 'updated', memory: { id: added.memory.id, pinned: true, importance: 5 } },
    });
    const moved = await patch(added.memory.id, { content: 'Bob lives in Berlin.' });
    expect(moved).toMatchObject({
      status: 200,
      body: { outcome: 'superseded', memory: { pinned: true, importance: 5 } },
    });
    const old = await gateway.send<Memory>(key, 'GET', `/v1/memories/${added.memory.id}`);
    expect(old.body.superseded_by).toBe(moved.body.memory.id);
    expect(await patch(added.memory.id, { content: 'Bob lives in Rome.' })).toMatchObject({
      status: 409,
      body: { code: 'memory_not_current' },
    });
    const { body: history } = await gateway.send<HistoryPage>(key, 'GET', `/v1/memories/${added.memory.id}/history`);
    expect(history.items.map(({ event }) => event)).toEqual(['UPDATE', 'UPDATE', 'ADD']);
    const texts = (await queryMemory('u2', 'Where does Bob live?')).body.memories.map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining('Bob lives in Berlin.')]);
  });

  it('refuses an empty patch', async () => {
    const { body } = await add('u2', 'Bob has a bike.');
    expect(await patch(body.memory.id, {})).toMatchObject({ status: 400 });
  });

  it('refuses contradictory filters, and names the one to change', async () => {
    const bounds = { updated_after: '2026-03-02', updated_before: '2026-03-01' };
    const listed = await gateway.send(key, 'GET', `/v1/memories?${new URLSearchParams(bounds).toString()}`);
    expect(listed).toMatchObject({ status: 400, body: { errors: [{ path: 'query.updated_before' }] } });
    const filters = { user_id: 'u2', ...bounds, importance_min: 4, importance_max: 2 };
    const response = await gateway.send(key, 'POST', '/v1/memory/query', { body: { query: 'bike', filters } });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([
      { path: 'body.filters.importance_max', message: expect.stringContaining('`importance_min`') },
      { path: 'body.filters.updated_before', message: expect.stringContaining('`updated_after`') },
    ]);
  });

  it('deletes and restores; a deleted memory is not returned to readers', async () => {
    const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
    const { body } = await add('u3', 'Cat fears thunder.');
    const path = `/v1/memories/${body.memory.id}`;
    expect(await gateway.send(key, 'POST', `${path}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'memory_not_deleted' },
    });
    expect(await gateway.send<Memory>(key, 'DELETE', path)).toMatchObject({
      status: 200,
      body: { state: 'soft_deleted' },
    });
    expect((await gateway.send(reader, 'GET', path)).status).toBe(404);
    expect((await gateway.send(reader, 'GET', `${path}/history`)).status).toBe(404);
    expect((await gateway.send(key, 'GET', path)).status).toBe(200);
    expect((await gateway.send(reader, 'GET', '/v1/memories?state=soft_deleted')).body.code).toBe('forbidden_scope');
    const listed = await gateway.send<MemoryPage>(key, 'GET', '/v1/memories?state=soft_deleted&user_id=u3');
    expect(listed.body.items.map(({ id }) => id)).toEqual([body.memory.id]);
    expect((await queryMemory('u3', 'thunder')).body.memories).toEqual([]);
    expect(await gateway.send<MemoryWritten>(key, 'POST', `${path}/restore`)).toMatchObject({
      status: 200,
      body: { outcome: 'updated', memory: { state: 'active' } },
    });
    expect((await queryMemory('u3', 'thunder')).body.memories).toHaveLength(1);
  });

  it('returns quarantined memories only to admins, also for delete and restore', async () => {
    const writer = await gateway.makeKey({ tenantId, scopes: ['ingest', 'query'] });
    const { body } = await add('u7', 'Gus owns a gold mine.');
    const { id } = body.memory;
    await gateway.database.inTenant(tenantId, (tx) =>
      tx.execute(`UPDATE memories SET state = 'quarantined', quarantine_reason = 'quote_not_found' WHERE id = $1`, [
        id,
      ]),
    );
    const path = `/v1/memories/${id}`;
    for (const [method, route] of [
      ['GET', path],
      ['GET', `${path}/history`],
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ] as const) {
      expect((await gateway.send(writer, method, route)).status).toBe(404);
    }
    expect((await queryMemory('u7', 'gold mine')).body.memories).toEqual([]);
    const quarantined = await gateway.send<MemoryPage>(key, 'GET', '/v1/memories?state=quarantined&user_id=u7');
    expect(quarantined.body.items.map(({ quarantine_reason }) => quarantine_reason)).toEqual(['quote_not_found']);
  });

  it('returns a list page by page without repeating or skipping', async () => {
    for (const place of ['Rome', 'Oslo', 'Lima', 'Kyoto', 'Cairo']) await add('u4', `Dan was in ${place}.`);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/memories?user_id=u4&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: { body: MemoryPage } = await gateway.send<MemoryPage>(key, 'GET', path);
      seen.push(...page.body.items.map(({ content }) => content));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(['Cairo', 'Kyoto', 'Lima', 'Oslo', 'Rome'].map((place) => `Dan was in ${place}.`));
  });

  it('answers a query with dated bullets within its token budget', async () => {
    await add('u5', 'Eve adopted a cat named Milo.', { category: 'event', valid_from: '2023-05-08T10:00:00Z' });
    await add('u5', 'Eve works as a nurse.', { category: 'profile' });
    const { body } = await queryMemory('u5', 'What is the name of the cat?', { top_k: 1 });
    expect(body.memories).toMatchObject([
      { category: 'event', text: '[event] Eve adopted a cat named Milo. (8 May 2023)' },
    ]);
    expect(body.degraded).toBe(false);
    expect(body.tokens).toBeGreaterThan(5);
    const tight = await queryMemory('u5', 'Eve cat nurse', { top_k: 10, budget_tokens: 16 });
    expect(tight.body.tokens).toBeLessThanOrEqual(16);
    expect(tight.body.memories.length).toBeLessThan(2);
  });

  it('returns scores and validity on request, best first, and drops results below the threshold', async () => {
    const { body } = await queryMemory('u5', 'cat named Milo', { return: 'full' });
    const hits = body.memories as QueryHit[];
    expect(hits[0]!.score).toBeGreaterThan(hits[1]?.score ?? 0);
    expect(hits[0]).toMatchObject({ valid_from: '2023-05-08T10:00:00.000Z', valid_to: null, type: 'semantic' });
    const strict = await queryMemory('u5', 'cat named Milo', { return: 'full', threshold: hits[0]!.score });
    expect(strict.body.memories).toHaveLength(1);
  });

  it('restricts agents to their allowlists', async () => {
    const answer = await queryMemory('u5', 'Eve', { agent: 'planner' });
    expect(answer).toMatchObject({ status: 200, body: { memories: [] } });
    const refused = await queryMemory('u5', 'Eve', { agent: 'planner', categories: ['profile'] });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_category' } });
    expect(JSON.stringify(refused.body)).toContain('profile');
  });

  it('answers by lexical search while embeddings are unavailable, and writes without a vector', async () => {
    embedder.broken = true;
    const added = await add('u6', 'Fay plays the violin.');
    expect(added.status).toBe(201);
    const answer = await queryMemory('u6', 'Who plays the violin right now?');
    embedder.broken = false;
    expect(answer).toMatchObject({ status: 200, body: { degraded: true } });
    expect(answer.body.memories.map(({ id }) => id)).toEqual([added.body.memory.id]);
    expect(gateway.log.join('')).not.toContain('violin');
  });
});
