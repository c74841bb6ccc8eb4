import { Annals, AuthenticationError, ConnectionError, InvalidRequestError, PermissionError } from '@annals/sdk';
import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { Annotation, END, getStore, START, StateGraph } from '@langchain/langgraph';
import { InvalidNamespaceError } from '@langchain/langgraph-checkpoint';
import { AnnalsStore, type AnnalsStoreOptions } from '../index.js';

describe('AnnalsStore, over HTTP', () => {
  let system: AnnalsSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.close());

  let users = 0;
  const open = (options: AnnalsStoreOptions = {}) =>
    new AnnalsStore({
      baseUrl: system.nextUrl(),
      apiKey: system.tenantKey,
      user: `user-${++users}`,
      ...options,
    });
  const ofUser = (user: string, options: AnnalsStoreOptions = {}) => open({ ...options, user });

  describe('batch', () => {
    it('runs puts and gets in their order', async () => {
      const store = open();
      const results = await store.batch([
        { namespace: ['batch'], key: 'one', value: { step: 'first' } },
        { namespace: ['batch'], key: 'two', value: { step: 'second' } },
        { namespace: ['batch'], key: 'one' },
        { namespacePrefix: ['batch'] },
        { matchConditions: [{ matchType: 'prefix', path: ['batch'] }], limit: 10, offset: 0 },
        { namespace: ['batch'], key: 'one', value: null },
        { namespace: ['batch'], key: 'one' },
      ]);
      expect(results).toEqual([
        undefined,
        undefined,
        expect.objectContaining({ key: 'one', value: { step: 'first' } }),
        expect.arrayContaining([expect.objectContaining({ key: 'one' }), expect.objectContaining({ key: 'two' })]),
        [['batch']],
        undefined,
        null,
      ]);
    });

    it('stores nothing when one of its operations is invalid', async () => {
      const store = open();
      const operations = [
        { namespace: ['batch'], key: 'one', value: { step: 'first' } },
        { namespace: [], key: 'two', value: { step: 'without a place' } },
        { namespace: ['batch'], key: 'one' },
      ];
      await expect(store.batch(operations)).rejects.toThrow('Namespace cannot be empty');
      expect(await store.get(['batch'], 'one')).toBeNull();
    });

    it('sends any number of operations, and any amount of values', async () => {
      const store = open();
      const value = { text: 'x'.repeat(20_000) };
      const puts = Array.from({ length: 450 }, (_, n) => ({
        namespace: ['many', `n${n % 3}`],
        key: `k${n}`,
        value: n % 5 === 0 ? value : { n },
      }));
      await store.batch(puts);
      const items = await store.batch(puts.map(({ namespace, key }) => ({ namespace, key })));
      expect(items.map((item) => item?.value)).toEqual(puts.map((put) => put.value));
      expect(await store.batch([])).toEqual([]);
    });

    it('divides operations by user, and keeps their results in order', async () => {
      const store = open({ user: ([, user]) => user });
      const [ann, bea] = [`ann-${++users}`, `bea-${++users}`];
      await store.batch([
        { namespace: ['of', ann], key: 'k', value: { who: 'Ann' } },
        { namespace: ['of', bea], key: 'k', value: { who: 'Bea' } },
        { namespace: ['of'], key: `k-${ann}`, value: { who: 'nobody' } },
      ]);
      const [first, found, second] = await store.batch([
        { namespace: ['of', bea], key: 'k' },
        { namespacePrefix: ['of', ann] },
        { namespace: ['of'], key: `k-${ann}` },
      ]);
      expect([first, second]).toMatchObject([{ value: { who: 'Bea' } }, { value: { who: 'nobody' } }]);
      expect(found).toMatchObject([{ value: { who: 'Ann' } }]);
      expect(await ofUser(ann).get(['of', ann], 'k')).toMatchObject({ value: { who: 'Ann' } });
      expect(await ofUser(ann).get(['of', bea], 'k')).toBeNull();
      expect(await store.listNamespaces({ prefix: ['of', bea] })).toEqual([['of', bea]]);
    });
  });

  describe('items', () => {
    it('are read as they were put, with their times', async () => {
      const store = open();
      const value = {
        text: 'héllo 😀',
        number: 42.5,
        flag: true,
        nothing: null,
        list: [1, 'two', { three: 3 }],
        nested: { deep: { value: 'here' } },
      };
      await store.put(['crud', 'simple'], 'item', value);
      const item = await store.get(['crud', 'simple'], 'item');
      expect(item).toEqual({
        namespace: ['crud', 'simple'],
        key: 'item',
        value,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
      expect(await store.get(['crud', 'simple'], 'another')).toBeNull();
      expect(await store.get([], 'item')).toBeNull();
    });

    it('are replaced by the next put, and keep the time at which they were created', async () => {
      const store = open();
      await store.put(['crud'], 'item', { old: 1, kept: false });
      const before = await store.get(['crud'], 'item');
      await store.put(['crud'], 'item', { new: 2 });
      const after = await store.get(['crud'], 'item');
      expect(after!.value).toEqual({ new: 2 });
      expect(after!.createdAt).toEqual(before!.createdAt);
      expect(after!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime());
    });

    it('are deleted, also when there is none', async () => {
      const store = open();
      await store.put(['crud'], 'item', { a: 1 });
      await store.delete(['crud'], 'item');
      expect(await store.get(['crud'], 'item')).toBeNull();
      await store.delete(['crud'], 'item');
      await store.delete(['none'], 'item');
    });

    it.each([
      [[], 'Namespace cannot be empty'],
      [['a.b'], 'Namespace labels cannot contain periods'],
      [['a:b'], 'Namespace labels cannot contain colons'],
      [['a', ''], 'Namespace labels cannot be empty strings'],
      [['a', 7], 'Namespace labels must be strings'],
      [['langgraph', 'a'], 'Root label for namespace cannot be "langgraph"'],
    ])('are refused in the namespace %j', async (namespace, message) => {
      const store = open();
      const put = () => store.put(namespace as string[], 'key', { a: 1 });
      await expect(put()).rejects.toThrow(InvalidNamespaceError);
      await expect(put()).rejects.toThrow(message);
      await expect(store.batch([{ namespace: namespace as string[], key: 'k', value: {} }])).rejects.toThrow(message);
    });
  });

  describe('namespaces', () => {
    it('are listed all, by prefix and suffix with wildcards, to a depth, and page by page', async () => {
      const store = open();
      const namespaces = [
        ['docs', 'v1'],
        ['docs', 'v2'],
        ['cache', 'v1', 'tmp'],
      ];
      for (const namespace of namespaces) await store.put(namespace, 'item', { a: 1 });
      expect(await store.listNamespaces()).toEqual([['cache', 'v1', 'tmp'], ...namespaces.slice(0, 2)]);
      expect(await store.listNamespaces({ prefix: ['docs'] })).toEqual(namespaces.slice(0, 2));
      expect(await store.listNamespaces({ suffix: ['v1'] })).toEqual([['docs', 'v1']]);
      expect(await store.listNamespaces({ prefix: ['*', 'v1'] })).toEqual([
        ['cache', 'v1', 'tmp'],
        ['docs', 'v1'],
      ]);
      expect(await store.listNamespaces({ suffix: ['*', 'tmp'] })).toEqual([['cache', 'v1', 'tmp']]);
      expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['cache'], ['docs']]);
      expect(await store.listNamespaces({ limit: 1, offset: 1 })).toEqual([['docs', 'v1']]);
      expect(await store.listNamespaces({ prefix: ['none'] })).toEqual([]);
    });
  });

  describe('statistics', () => {
    it('count items and namespaces, and have the oldest and newest times', async () => {
      const store = open();
      expect(await store.statistics()).toEqual({
        totalItems: 0,
        expiredItems: 0,
        namespaceCount: 0,
        oldestItem: null,
        newestItem: null,
      });
      for (const [namespace, key] of [
        ['first', 'a'],
        ['first', 'b'],
        ['second', 'a'],
      ] as const)
        await store.put([namespace], key, { key });
      const found = await store.statistics();
      expect(found).toMatchObject({ totalItems: 3, expiredItems: 0, namespaceCount: 2 });
      expect(found.newestItem!.getTime()).toBeGreaterThanOrEqual(found.oldestItem!.getTime());
    });
  });

  describe('a time to live', () => {
    /** As if the time had passed, for items of a user. */
    const passMinutes = (user: string, minutes: number) =>
      system.inspect((query) =>
        query(`UPDATE langgraph_items SET expires_at = expires_at - $2 * interval '1 minute' WHERE user_id = $1`, [
          user,
          minutes,
        ]),
      );

    it('ends items, unless they are read or found before; the store’s applies where a put has none', async () => {
      const user = `ttl-${++users}`;
      const store = () => ofUser(user, { ttl: { defaultTtl: 10 }, index: {} });
      await store().batch([
        { namespace: ['t'], key: 'read', value: { text: 'apples' } },
        { namespace: ['t'], key: 'found', value: { text: 'pears' } },
        { namespace: ['t'], key: 'left', value: { text: 'plums' } },
      ]);
      await store().put(['t'], 'short', { text: 'cherries' }, undefined, { ttl: 2 });
      await passMinutes(user, 5);
      expect(await store().get(['t'], 'short')).toBeNull();
      expect(await store().get(['t'], 'read')).not.toBeNull();
      expect(await store().search(['t'], { query: 'pears', mode: 'text' })).toHaveLength(1);
      const unread = ofUser(user, { ttl: { refreshOnRead: false } });
      expect(await unread.get(['t'], 'left')).not.toBeNull();
      expect(await store().search(['t'], { query: 'plums', mode: 'text', refreshTtl: false })).toHaveLength(1);
      await passMinutes(user, 6);
      const keys = (await store().search(['t'])).map(({ key }) => key);
      expect(keys.toSorted()).toEqual(['found', 'read']);
      expect(await store().statistics()).toMatchObject({ totalItems: 2, expiredItems: 2 });
    });
  });

  describe('errors', () => {
    it('are those of the client: a wrong key, an unreachable server, a filter that means nothing', async () => {
      const wrongKey = new AnnalsStore({ baseUrl: system.nextUrl(), apiKey: 'ann_wrong' });
      await expect(wrongKey.get(['a'], 'k')).rejects.toThrow(AuthenticationError);
      const nowhere = new AnnalsStore({ baseUrl: 'http://127.0.0.1:9', apiKey: 'ann_x', maxRetries: 0 });
      await expect(nowhere.put(['a'], 'k', {})).rejects.toThrow(ConnectionError);
      expect(() => new AnnalsStore({ baseUrl: 'nonsense', apiKey: 'ann_x' })).toThrow(/baseUrl/);
      const search = open().search(['a'], { filter: { a: { $regex: '.*' } } });
      await expect(search).rejects.toThrow(InvalidRequestError);
      await expect(search).rejects.toThrow(/\$regex is unknown/);
    });

    it('name the operation that a key may not carry out', async () => {
      const admin = new ApiClient(() => system.nextUrl(), system.tenantKey);
      const { key } = await admin.must('createKey', { body: { name: 'reader', scopes: ['query'] } });
      const client = new Annals({ baseUrl: system.nextUrl(), apiKey: key });
      const reader = new AnnalsStore(client, { user: 'reader' });
      expect(await reader.get(['a'], 'k')).toBeNull();
      await expect(reader.put(['a'], 'k', {})).rejects.toThrow(PermissionError);
      await expect(reader.put(['a'], 'k', {})).rejects.toThrow(/body\.operations\[0\].*ingest/);
    });
  });

  it('is the store of a graph', async () => {
    const store = open();
    const State = Annotation.Root({ said: Annotation<string>, known: Annotation<number> });
    const graph = new StateGraph(State)
      .addNode('remember', async ({ said }) => {
        await getStore()!.put(['said'], said, { said });
        return {};
      })
      .addNode('count', async () => ({ known: (await getStore()!.search(['said'])).length }))
      .addEdge(START, 'remember')
      .addEdge('remember', 'count')
      .addEdge('count', END)
      .compile({ store });
    expect(await graph.invoke({ said: 'one' })).toMatchObject({ known: 1 });
    expect(await graph.invoke({ said: 'two' })).toMatchObject({ known: 2 });
  });
});
