import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { AccessLog } from './access-log.js';

describe('core memories of an answer', () => {
  let gateway: TestGateway;
  let fixture: MemoryFixture;

  beforeAll(async () => {
    gateway = await startGateway();
    fixture = await MemoryFixture.open(gateway, 'core');
  });
  afterAll(() => gateway?.close());

  it('are all memories of a category in mode `all`, beside the results of a question', async () => {
    for (const [content, category, importance] of [
      ['The user is called Ana', 'profile', 2],
      ['The user was born in Graz', 'profile', 5],
      ['The user likes black tea', 'preferences', 3],
      ['The user likes tea with milk', 'preferences', 3],
    ] as const)
      await fixture.addMemory('core', content, { category, importance });
    const ask = async (query: string, rest: object = {}) => {
      const { core, ...answer } = await fixture.queryHits('core', query, { top_k: 1, ...rest });
      return { core: core.map(({ content }) => content), found: answer.memories.map(({ content }) => content) };
    };
    const profile = ['The user was born in Graz', 'The user is called Ana'];
    expect(await ask('black tea')).toEqual({ core: profile, found: ['The user likes black tea'] });
    expect(await ask('Graz')).toEqual({ core: [profile[1]], found: [profile[0]] });
    expect(await ask('Graz', { threshold: 1 })).toEqual({ core: profile, found: [] });
    for (const rest of [{ agent: 'stylist' }, { categories: ['preferences'] }, { types: ['turn'] }])
      expect((await ask('black tea', rest)).core).toEqual([]);
    for (const rest of [{ purpose: 'recall' }, { core: false }])
      expect(await ask('black tea', rest)).toEqual({ core: [], found: ['The user likes black tea'] });
  });

  it('do not count as read, as results do', async () => {
    const name = await fixture.addMemory('reads', 'The user is called Ana', { category: 'profile' });
    const tea = await fixture.addMemory('reads', 'The user likes black tea');
    const ask = async (query: string) => {
      const { core, memories } = await fixture.queryHits('reads', query, { top_k: 1, include_related: false });
      await gateway.app.get(AccessLog).flush();
      const rows = await gateway.database.readTenant(fixture.tenantId, (tx) =>
        tx.query<{ memory_id: string }>('SELECT memory_id FROM memory_access WHERE memory_id = ANY ($1)', [
          [name, tea],
        ]),
      );
      return { served: [...core, ...memories].map(({ id }) => id), read: rows.map((row) => row.memory_id).toSorted() };
    };
    expect(await ask('black tea')).toEqual({ served: [name, tea], read: [tea] });
    expect((await ask('Who is called Ana?')).read).toEqual([name, tea].toSorted());
  });

  it('keep to the token budget, and are explained when they are left out', async () => {
    const tell = (content: string, category: string) => fixture.addMemory('budget', content, { category });
    const ids = [await tell('The user is called Ana', 'profile'), await tell('The user was born in Graz', 'profile')];
    await tell('The user likes black tea', 'preferences');
    const request = { top_k: 1, explain: true };
    const all = await fixture.queryHits('budget', 'black tea', request);
    expect(all.explain!.core.kept.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const [, second] = all.explain!.core.kept;
    const less = await fixture.queryHits('budget', 'black tea', { ...request, budget_tokens: all.tokens - 1 });
    expect(less.memories).toEqual(all.memories);
    expect(less.tokens).toBe(all.tokens - second!.tokens);
    expect(less.explain!.core.dropped).toEqual([
      { id: second!.id, kind: 'memory', category: 'profile', why: 'budget' },
    ]);
  });

  it('get tokens before the words of turns do', async () => {
    const words = 'I like black tea most of all, and what I like about it I could tell for hours. '.repeat(8);
    const [messageId] = await fixture.postMessages('quoted', 't', words);
    await fixture.addMemory('quoted', 'The user likes black tea', {
      sources: [{ messageId: messageId!, quote: 'tea' }],
    });
    await fixture.addMemory('quoted', 'The user is called Ana', { category: 'profile' });
    const { core, memories } = await fixture.queryHits('quoted', 'black tea', { top_k: 1, budget_tokens: 60 });
    expect(core).toHaveLength(1);
    expect(memories[0]!.text).toContain('— ');
  });

  it('take the place of a turn whose statement they replaced', async () => {
    const said = 'I live in Lisbon';
    const [messageId] = await fixture.postMessages('moved', 't', said, 'I flew to Lisbon');
    const sources = [{ messageId: messageId!, quote: said }];
    await fixture.addMemory('moved', 'The user lives in Lisbon', { category: 'profile', sources });
    const porto = await fixture.addMemory('moved', 'The user lives in Porto', { category: 'profile' });
    const ask = async (rest: object = {}) => {
      const request = { return: 'bullets', types: ['semantic', 'turn'], threshold: 0.9, explain: true, ...rest };
      const answer = await fixture.queryHits('moved', 'I live in Lisbon', request);
      expect(answer.memories.map(({ id }) => id)).not.toContain(porto);
      return {
        core: answer.core.map(({ id }) => id),
        hasOver: answer.memories.some(({ id }) => id === messageId),
        answer,
      };
    };
    const { core, hasOver, answer } = await ask();
    expect({ core, hasOver }).toEqual({ core: [porto], hasOver: false });
    expect(answer.explain!.dropped).toContainEqual(expect.objectContaining({ id: messageId, why: 'superseded' }));
    for (const rest of [{ core: false }, { current: false }, { return: 'full' }])
      expect((await ask(rest)).hasOver).toBe(true);
  });
});
