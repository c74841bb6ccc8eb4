import { GLOBAL_OWNER, type MemoryQueryAnswer } from '@annals/contracts';
import type { NewMemory } from '@annals/domain';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { AccessLog } from './access-log.js';

const DAY_MS = 86_400_000;

describe('global memories in the answers of a query', () => {
  let gateway: TestGateway;
  let fixture: MemoryFixture;
  let tenants = 0;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.close());
  beforeEach(async () => {
    fixture = await MemoryFixture.open(gateway, `global ${++tenants}`);
  });

  const share = (content: string, fields: Partial<NewMemory> = {}) =>
    fixture.addMemory(GLOBAL_OWNER, content, { category: 'knowledge', ...fields });
  /** Contents with their scopes, in order. */
  async function ask(user: string, query: string | undefined, rest: object = {}, filters: object = {}) {
    const { core, memories } = await fixture.queryHits(user, query, { include_related: false, ...rest }, filters);
    return [...core, ...memories].map(({ content, scope }) => `${scope}: ${content}`);
  }

  it('are ranked with those of the user, by the same scores, and marked', async () => {
    await share('The shop ships tea to Norway');
    await share('The shop is closed on Mondays');
    await fixture.addMemory('ada', 'The user orders tea to Norway every month');
    await fixture.addMemory('ben', 'The user lives in Norway');
    await fixture.postMessages('ada', 't', 'Do you ship tea to Norway?');
    const answer = await fixture.queryHits('ada', 'Is tea shipped to Norway?', { top_k: 10, explain: true });
    const scores = answer.memories.map(({ score }) => score);
    expect(scores[0]).toBe(Math.max(...scores));
    const served = answer.memories.map(({ scope, content }) => `${scope}: ${content}`);
    expect(served).toEqual(
      expect.arrayContaining([
        'global: The shop ships tea to Norway',
        'user: The user orders tea to Norway every month',
      ]),
    );
    expect(JSON.stringify(answer)).not.toContain('lives in Norway');
    const global = answer.memories.find(({ scope }) => scope === 'global')!;
    expect(global).toMatchObject({ sources: [], speaker: null, thread_id: null, superseded_by: null });
    expect(global.scores.vector).toBeGreaterThan(0);
    expect(global.scores.lexical).toBeGreaterThan(0);
    expect(answer.explain!.candidates.memories).toBe(3);
    const { body } = await fixture.queryMemory<MemoryQueryAnswer>({
      query: 'Is tea shipped to Norway?',
      filters: { user_id: 'ada' },
      top_k: 1,
      budget_tokens: 40,
    });
    expect(body.memories).toHaveLength(1);
    expect(['user', 'global']).toContain(body.memories[0]!.scope);
    expect(body.tokens).toBeLessThanOrEqual(40);
  });

  it('answer users of whom nothing is stored, also when the query has no word of them', async () => {
    await share('The shop ships tea to Norway');
    expect(await ask('new', 'Is tea shipped to Norway?')).toEqual(['global: The shop ships tea to Norway']);
    expect(await ask('new', '…')).toEqual(['global: The shop ships tea to Norway']);
    expect(await ask('new', undefined)).toEqual(['global: The shop ships tea to Norway']);
  });

  it('are listed without a query and in core, among those of the user', async () => {
    await share('The assistant is called Ida', { category: 'profile', importance: 4 });
    await fixture.addMemory('ada', 'The user is called Ada', { category: 'profile', importance: 5 });
    await fixture.addMemory('ada', 'The user was born in Graz', { category: 'profile', importance: 3 });
    const profile = [
      'user: The user is called Ada',
      'global: The assistant is called Ida',
      'user: The user was born in Graz',
    ];
    expect(await ask('ada', undefined)).toEqual(profile);
    const { core } = await fixture.queryHits('ada', 'What about tea?', { threshold: 1 });
    expect(core.map(({ scope, content }) => `${scope}: ${content}`)).toEqual(profile);
    const bullets = await fixture.queryMemory<MemoryQueryAnswer>({ filters: { user_id: 'ada' } });
    expect(bullets.body.memories.map(({ scope }) => scope)).toEqual(['user', 'global', 'user']);
  });

  it('follow the results that they are related to, marked as well', async () => {
    const ids = await fixture.change(
      GLOBAL_OWNER,
      ['The shop ships tea to Norway', 'Customs take a week'].map((content) => ({
        kind: 'observe' as const,
        memory: fixture.statement(content, { category: 'knowledge' }),
      })),
      [{ from: 0, to: 1, strength: 0.9 }],
    );
    const { related } = await fixture.queryHits('ada', 'tea to Norway', { top_k: 1 });
    expect(related).toMatchObject([{ id: ids[1], scope: 'global', related_to: ids[0] }]);
  });

  it('keep to categories, types, pins, importance and times, and leave out what has a source only', async () => {
    await share('The shop ships tea to Norway', { category: 'tone', importance: 4, pinned: true });
    const found = ['global: The shop ships tea to Norway'];
    const query = 'Is tea shipped to Norway?';
    for (const asked of [query, undefined]) {
      for (const rest of [{ categories: ['tone'] }, { types: ['semantic'] }, { agent: 'stylist' }])
        expect([rest, await ask('ada', asked, rest)]).toEqual([rest, found]);
      for (const filters of [{ pinned: true }, { importance_min: 4 }, { category: 'tone' }])
        expect([filters, await ask('ada', asked, {}, filters)]).toEqual([filters, found]);
      for (const rest of [{ categories: ['tasks'] }, { types: ['episodic'] }, { agent: 'executor' }])
        expect([rest, await ask('ada', asked, rest)]).toEqual([rest, []]);
      for (const filters of [
        { pinned: false },
        { importance_max: 3 },
        { thread_id: 't' },
        { agent_id: 'planner' },
        { run_id: 'r' },
        { app_id: 'calendar' },
        { actor_id: 'ana' },
        { role: 'user' },
        { updated_before: '2000-01-01' },
      ])
        expect([filters, await ask('ada', asked, {}, filters)]).toEqual([filters, []]);
    }
  });

  it('are found by a placeholder that they contain', async () => {
    await gateway.send(fixture.key, 'POST', '/v1/global/memories', {
      body: { content: 'Questions go to help@shop.example.', category: 'knowledge' },
    });
    const filters = { mentions: 'help@shop.example' };
    expect(await ask('ada', undefined, {}, filters)).toEqual([expect.stringMatching(/^global: Questions go to /)]);
    expect(await ask('ada', 'questions', {}, { mentions: 'other@shop.example' })).toEqual([]);
  });

  it('are those that held at as_of and were known at known_at', async () => {
    const now = gateway.infrastructure.clock.now();
    const [before, since] = [now - 20 * DAY_MS, now - 10 * DAY_MS];
    const [id] = await fixture.change(GLOBAL_OWNER, [
      {
        kind: 'observe',
        memory: fixture.statement('The shop opens at nine', { category: 'knowledge', validFrom: before }),
      },
    ]);
    const memory = fixture.statement('The shop opens at ten', { category: 'knowledge', validFrom: since });
    await fixture.change(GLOBAL_OWNER, [{ kind: 'supersede', memoryId: id!, memory }]);
    const at = (time: number) => ({ as_of: new Date(time).toISOString() });
    for (const query of ['When does the shop open?', undefined]) {
      expect(await ask('ada', query)).toEqual(['global: The shop opens at ten']);
      expect(await ask('ada', query, at(before + DAY_MS))).toEqual(['global: The shop opens at nine']);
      expect(await ask('ada', query, at(before - DAY_MS))).toEqual([]);
      expect(await ask('ada', query, { known_at: new Date(before).toISOString() })).toEqual([]);
    }
    await gateway.send(fixture.key, 'DELETE', `/v1/global/memories/${id}`);
  });

  it('neither end nor hide what contradicts them, and end with their deletion', async () => {
    const id = await share('The user lives in Oslo');
    const own = await fixture.addMemory('ada', 'The user lives in Lisbon');
    expect((await ask('ada', 'Where does the user live?')).toSorted()).toEqual([
      'global: The user lives in Oslo',
      'user: The user lives in Lisbon',
    ]);
    for (const memory of [id, own])
      expect((await gateway.send(fixture.key, 'GET', `/v1/memories/${memory}`)).body).toMatchObject({
        valid_to: null,
        superseded_by: null,
        revision: 1,
      });
    await gateway.send(fixture.key, 'DELETE', `/v1/global/memories/${id}`);
    expect(await ask('ada', 'Where does the user live?')).toEqual(['user: The user lives in Lisbon']);
    expect(await ask('ada', undefined)).toEqual(['user: The user lives in Lisbon']);
  });

  it('are not recorded as read, for they do not expire', async () => {
    const id = await share('The shop ships tea to Norway');
    const own = await fixture.addMemory('ada', 'The user orders tea to Norway');
    expect(await ask('ada', 'tea to Norway')).toHaveLength(2);
    await gateway.app.get(AccessLog).flush();
    const read = await gateway.database.readTenant(fixture.tenantId, (tx) =>
      tx.query('SELECT memory_id FROM memory_access WHERE memory_id = ANY ($1)', [[id, own]]),
    );
    expect(read).toEqual([{ memory_id: own }]);
  });

  it('are served to bound keys, within their categories, and to no other tenant', async () => {
    await share('The shop ships tea to Norway');
    const body = { query: 'tea to Norway', filters: { user_id: 'ada' }, return: 'full' };
    const served = async (key: string) => (await fixture.queryMemory<MemoryQueryAnswer>(body, key)).body.memories;
    const { tenantId } = fixture;
    expect(await served(await gateway.makeKey({ tenantId, userId: 'ada' }))).toHaveLength(1);
    expect(await served(await gateway.makeKey({ tenantId, categories: ['tasks'] }))).toEqual([]);
    const other = await MemoryFixture.open(gateway, `another than ${tenants}`);
    expect(await served(other.key)).toEqual([]);
    await other.addMemory(GLOBAL_OWNER, 'The other shop ships tea to Norway');
    expect(await served(other.key)).toHaveLength(1);
    expect(await served(fixture.key)).toHaveLength(1);
  });

  it('like all others are ranked by relevance or by recency, as the request weighs them', async () => {
    const now = gateway.infrastructure.clock.now();
    const day = (days: number) => ({ validFrom: now - days * DAY_MS });
    await share('The user likes green tea with jasmine in the morning', day(300));
    await fixture.addMemory('ada', 'The user bought a red bicycle and tea', day(0));
    const query = 'green tea with jasmine in the morning';
    const order = async (recency_weight?: number) =>
      (await ask('ada', query, recency_weight === undefined ? {} : { recency_weight })).map(
        (line) => line.split(':')[0],
      );
    expect(await order(0)).toEqual(['global', 'user']);
    expect(await order(1)).toEqual(['user', 'global']);
    const [first] = (await fixture.queryHits('ada', query, { recency_weight: 0, top_k: 1 })).memories;
    const byDefault = (await fixture.queryHits('ada', query)).memories.find(({ id }) => id === first!.id)!;
    expect(byDefault.score).toBeLessThan(first!.score);
    for (const recency_weight of [-0.1, 1.1, '0.5'])
      expect((await fixture.queryMemory({ query, filters: { user_id: 'ada' }, recency_weight })).status).toBe(400);
  });
});
