import { exportUser } from '../privacy/export-user.js';
import { eraseUser } from '../privacy/erase-user.js';
import { deleteTenant } from '../tenants/tenants.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { randomBytes } from 'node:crypto';
import type { ItemCondition } from './item-filter.js';
import { listNamespaces, type NamespaceList } from './list-namespaces.js';
import { readItems, readStoreStatistics } from './read-items.js';
import { type ItemSearch, searchItems } from './search-items.js';
import { deleteItems, lockItems, type NewItem, purgeExpiredItems, putItems, refreshItems } from './write-items.js';

const MINUTE_MS = 60_000;
const KEY = Buffer.alloc(32, 9);

const textsOf = (...vectors: readonly Float32Array[]) => vectors.map((vector, n) => ({ text: `text ${n}`, vector }));
const makeItem = (namespace: readonly string[], key: string, value: object, more: Partial<NewItem> = {}): NewItem => ({
  namespace,
  key,
  json: JSON.stringify(value),
  words: Object.values(value).join(' '),
  ttlMinutes: null,
  texts: [],
  ...more,
});

describe('items of a store', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let users = 0;
  let userId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  beforeEach(() => {
    userId = `user-${++users}`;
  });
  afterAll(() => fixture.close());

  const put = (items: readonly NewItem[], owner = userId, tenant = tenantId) =>
    fixture.inTenant(tenant, async (tx) => {
      const scope = { userId: owner, now: fixture.clock.now() };
      await lockItems(tx, scope, { places: items, mayInsert: true });
      await putItems(tx, scope, { items, model: 'm' }, fixture);
    });
  const scope = (owner = userId, maxBytes = 1_000_000) => ({ userId: owner, now: fixture.clock.now(), maxBytes });
  const read = async (namespace: readonly string[], keys: readonly string[], owner = userId, tenant = tenantId) =>
    fixture.inTenant(tenant, (tx) =>
      readItems(
        tx,
        scope(owner),
        keys.map((key) => ({ namespace, key })),
      ),
    );
  const refresh = async (namespace: readonly string[], keys: readonly string[]) => {
    const { items } = await read(namespace, keys);
    const found = items.flatMap((item) => item?.itemId ?? []);
    await fixture.inTenant(tenantId, (tx) => refreshItems(tx, found, fixture.clock.now()));
  };
  const search = (given: Partial<ItemSearch> = {}, owner = userId, tenant = tenantId) =>
    fixture.inTenant(tenant, (tx) =>
      searchItems(tx, scope(owner), {
        prefix: [],
        conditions: [],
        ranking: { words: null, vector: null, vectorWeight: 0.5 },
        limit: 10,
        offset: 0,
        ...given,
      }),
    );
  const keysOf = async (given?: Partial<ItemSearch>, owner?: string, tenant?: string) =>
    (await search(given, owner, tenant)).items.map(({ key }) => key);
  const list = (given: Partial<NamespaceList> = {}, owner = userId) =>
    fixture.inTenant(tenantId, (tx) =>
      listNamespaces(tx, scope(owner), { matches: [], maxDepth: null, limit: 100, offset: 0, ...given }),
    );

  it('are read as they were put, each place once, and null where there is none', async () => {
    await put([makeItem(['a'], 'one', { n: 1 }), makeItem(['a', 'b'], 'one', { n: 2 })]);
    const { items } = await read(['a'], ['none', 'one', 'one']);
    expect(items).toMatchObject([null, { namespace: ['a'], key: 'one', value: { n: 1 } }, { value: { n: 1 } }]);
    expect((await read(['a', 'b'], ['one'])).items).toMatchObject([{ value: { n: 2 } }]);
  });

  it('keep the time at which they were created, and get a later one with each change', async () => {
    await put([makeItem(['a'], 'k', { n: 1 })]);
    const [first] = (await read(['a'], ['k'])).items;
    await put([makeItem(['a'], 'k', { n: 2 })]);
    const [second] = (await read(['a'], ['k'])).items;
    expect(second!.createdAt).toEqual(first!.createdAt);
    expect(second!.updatedAt.getTime()).toBeGreaterThan(first!.updatedAt.getTime());
  });

  it('are told apart where path and key have the same letters', async () => {
    const texts = textsOf(Float32Array.of(1, 0));
    await put([
      makeItem(['a'], 'b.c', { n: 1 }, { texts }),
      makeItem(['a', 'b'], 'c', { n: 2 }, { texts: textsOf(Float32Array.of(0, 1)) }),
    ]);
    const vector = { model: 'm', vector: Float32Array.of(1, 0), minCosine: 0.5 };
    expect(await keysOf({ ranking: { words: null, vector, vectorWeight: 1 } })).toEqual(['b.c']);
  });

  it('belong to one user and one tenant', async () => {
    await put([makeItem(['a'], 'k', { secret: 'mine' })]);
    const stranger = await fixture.addTenant();
    await put([makeItem(['a'], 'k', { secret: 'theirs' })], userId, stranger);
    await put([makeItem(['a'], 'k', { secret: 'of another user' })], 'another');
    expect((await read(['a'], ['k'])).items).toMatchObject([{ value: { secret: 'mine' } }]);
    expect((await search()).items).toMatchObject([{ value: { secret: 'mine' } }]);
    expect((await search({}, userId, stranger)).items).toMatchObject([{ value: { secret: 'theirs' } }]);
    await fixture.inTenant(stranger, (tx) =>
      deleteItems(tx, { userId, now: fixture.clock.now() }, [{ namespace: ['a'], key: 'k' }]),
    );
    expect(await keysOf({}, userId, stranger)).toEqual([]);
    expect(await keysOf()).toEqual(['k']);
    await deleteTenant(fixture.database, stranger);
  });

  it('are found below a prefix of whole labels, the newest first, page by page', async () => {
    for (const [place, namespace] of [['a'], ['a', 'b'], ['ab'], ['a-b'], ['b', 'a']].entries()) {
      await put([makeItem(namespace, `k${place}`, {})]);
      fixture.clock.advance(1);
    }
    expect(await keysOf({ prefix: ['a'] })).toEqual(['k1', 'k0']);
    expect(await keysOf({ prefix: ['a', 'b'] })).toEqual(['k1']);
    expect(await keysOf()).toEqual(['k4', 'k3', 'k2', 'k1', 'k0']);
    expect(await keysOf({ limit: 2, offset: 3 })).toEqual(['k1', 'k0']);
  });

  const condition = (names: string, operator: ItemCondition['operator'], operand: unknown): ItemCondition => ({
    names: [names],
    steps: names.split('.'),
    operator,
    operand,
  });

  it.each<[ItemCondition[], string]>([
    [[condition('n', '$eq', 2)], 'b'],
    [[condition('n', '$ne', 2)], 'acd'],
    [[condition('n', '$gt', 1)], 'bc'],
    [[condition('n', '$gte', 2)], 'bc'],
    [[condition('n', '$lt', 2)], 'a'],
    [[condition('n', '$lte', 2.0)], 'ab'],
    [[condition('n', '$gt', '')], ''],
    [[condition('s', '$gt', 'm')], 'ab'],
    [[condition('s', '$gt', 'Z')], 'ab'],
    [[condition('s', '$lt', 'mz')], 'a'],
    [[condition('n', '$in', [1, 3, 'x'])], 'ac'],
    [[condition('n', '$nin', [1, 3])], 'bd'],
    [[condition('n', '$exists', true)], 'abc'],
    [[condition('n', '$exists', false)], 'd'],
    [[condition('nil', '$eq', null)], 'd'],
    [[condition('nil', '$exists', true)], 'd'],
    [[condition('o.deep.tags.0', '$eq', 'x')], 'a'],
    [[condition('o.deep', '$eq', { tags: ['x', 'y'], on: true })], 'a'],
    [[condition('with.period', '$eq', 1)], 'c'],
    [[condition('tags', '$eq', ['p', 'q'])], 'b'],
    [[condition('n', '$gte', 1), condition('s', '$eq', 'mm')], 'a'],
    [[condition("n' OR true --", '$eq', 1)], ''],
    [[condition('"; DROP TABLE langgraph_items', '$eq', "'; SELECT 1")], ''],
    [[condition('n', '$nin', [])], 'abcd'],
    [[condition('n', '$in', [])], ''],
  ])('fulfil conditions on their value: %j', async (conditions, expected) => {
    await put([
      makeItem(['f'], 'a', { n: 1, s: 'mm', o: { deep: { on: true, tags: ['x', 'y'] } } }),
      makeItem(['f'], 'b', { n: 2, s: 'z', tags: ['p', 'q'] }),
      makeItem(['f'], 'c', { n: 3, 'with.period': 1 }),
      makeItem(['f'], 'd', { nil: null }),
    ]);
    expect((await keysOf({ conditions })).toSorted().join('')).toBe(expected);
  });

  it('are ranked by words, by vectors, or by both with a weight', async () => {
    const at = (x: number, y: number) => ({ texts: textsOf(Float32Array.of(x, y)) });
    await put([
      makeItem(['r'], 'words', { t: 'green tea, green cups' }, at(0, 1)),
      makeItem(['r'], 'near', { t: 'something else' }, at(1, 0.1)),
      makeItem(['r'], 'one word', { t: 'a green field' }, at(-1, 0)),
      makeItem(['r'], 'neither', { t: 'without a vector' }),
    ]);
    const vector = { model: 'm', vector: Float32Array.of(1, 0), minCosine: null };
    const ranked = (ranking: Partial<ItemSearch['ranking']>) =>
      keysOf({ ranking: { words: null, vector: null, vectorWeight: 0.5, ...ranking } });
    expect(await ranked({ words: 'Green TEA?' })).toEqual(['words', 'one word']);
    expect(await ranked({ words: '?!' })).toEqual([]);
    expect(await ranked({ vector })).toEqual(['near', 'words', 'one word']);
    expect(await ranked({ vector: { ...vector, minCosine: 0.5 } })).toEqual(['near']);
    expect(await ranked({ vector: { ...vector, model: 'other' } })).toEqual([]);
    expect(await ranked({ vector: { ...vector, vector: Float32Array.of(1, 0, 0) } })).toEqual([]);
    const both = { words: 'green tea', vector: { ...vector, minCosine: 0.5 } };
    expect(await ranked({ ...both, vectorWeight: 0.9 })).toEqual(['near', 'words', 'one word']);
    expect(await ranked({ ...both, vectorWeight: 0.1 })).toEqual(['words', 'one word', 'near']);
    const { items } = await search({ ranking: { words: null, vector, vectorWeight: 1 } });
    expect(items[0]!.score).toBeCloseTo(0.995, 2);
  });

  it('count with the nearest of their vectors, and lose all of them with the next put', async () => {
    const texts = textsOf(Float32Array.of(0, 1), Float32Array.of(1, 0));
    await put([makeItem(['v'], 'k', {}, { texts })]);
    const ranking = {
      words: null,
      vector: { model: 'm', vector: Float32Array.of(1, 0), minCosine: null },
      vectorWeight: 1,
    };
    const { items } = await search({ ranking });
    expect(items.map(({ score }) => score)).toEqual([expect.closeTo(1, 3)]);
    await put([makeItem(['v'], 'k', {})]);
    expect(await keysOf({ ranking })).toEqual([]);
  });

  it('list their namespaces by prefix, suffix and depth, with a star for any label', async () => {
    const namespaces = [['docs', 'en', 'v1'], ['docs', 'de', 'v1'], ['docs', 'de', 'v2'], ['log', 'v1'], ['docs']];
    await put(namespaces.map((namespace) => makeItem(namespace, 'k', {})));
    const match = (end: 'prefix' | 'suffix', ...labels: string[]) => ({ end, labels });
    expect(await list()).toEqual([
      ['docs'],
      ['docs', 'de', 'v1'],
      ['docs', 'de', 'v2'],
      ['docs', 'en', 'v1'],
      ['log', 'v1'],
    ]);
    expect(await list({ matches: [match('prefix', 'docs', '*', 'v1')] })).toEqual([
      ['docs', 'de', 'v1'],
      ['docs', 'en', 'v1'],
    ]);
    expect(await list({ matches: [match('suffix', 'v1'), match('prefix', 'docs')] })).toHaveLength(2);
    expect(await list({ matches: [match('suffix', 'de', '*')] })).toHaveLength(2);
    expect(await list({ maxDepth: 2 })).toEqual([['docs'], ['docs', 'de'], ['docs', 'en'], ['log', 'v1']]);
    expect(await list({ maxDepth: 1, limit: 1, offset: 1 })).toEqual([['log']]);
    expect(await list({}, 'nobody')).toEqual([]);
  });

  it('are gone once they have expired, live on when they are read in time, and are new when put again', async () => {
    await put([makeItem(['t'], 'short', {}, { ttlMinutes: 1 }), makeItem(['t'], 'long', {}, { ttlMinutes: 10 })]);
    await put([makeItem(['t'], 'forever', {})]);
    const [created] = (await read(['t'], ['short'])).items;
    fixture.clock.advance(MINUTE_MS - 1);
    await refresh(['t'], ['short', 'forever']);
    fixture.clock.advance(MINUTE_MS - 1);
    expect((await keysOf()).toSorted()).toEqual(['forever', 'long', 'short']);
    fixture.clock.advance(1);
    expect((await keysOf()).toSorted()).toEqual(['forever', 'long']);
    expect((await read(['t'], ['short'])).items).toEqual([null]);
    const statistics = () => fixture.inTenant(tenantId, (tx) => readStoreStatistics(tx, scope()));
    expect(await statistics()).toMatchObject({ items: 2, expired: 1, namespaces: 1 });
    await fixture.inTenant(tenantId, (tx) => refreshItems(tx, [created!.itemId], fixture.clock.now()));
    expect((await read(['t'], ['short'])).items).toEqual([null]);
    await put([makeItem(['t'], 'short', {})]);
    const [again] = (await read(['t'], ['short'])).items;
    expect(again!.createdAt.getTime()).toBeGreaterThan(created!.createdAt.getTime());
  });

  it('are deleted by the job after they have expired, in steps, with their vectors', async () => {
    const items = ['a', 'b', 'c'].map((key) =>
      makeItem(['p'], key, {}, { ttlMinutes: 1, texts: textsOf(Float32Array.of(1, 0)) }),
    );
    await put(items);
    await put([makeItem(['p'], 'stays', {}, { texts: textsOf(Float32Array.of(1, 0)) })]);
    const now = fixture.clock.now();
    expect(await purgeExpiredItems(fixture.database, now + MINUTE_MS - 1, 10)).toBe(0);
    expect(await purgeExpiredItems(fixture.database, now + MINUTE_MS, 2)).toBe(2);
    expect(await purgeExpiredItems(fixture.database, now + MINUTE_MS, 2)).toBe(1);
    const [left] = await fixture.queryAsSuperuser(
      `SELECT (SELECT count(*)::integer FROM langgraph_item_vectors WHERE user_id = $1) AS vectors,
              (SELECT count(*)::integer FROM langgraph_item_texts t JOIN langgraph_items i USING (tenant_id, item_id)
                WHERE i.user_id = $1) AS texts`,
      [userId],
    );
    expect([left, await keysOf()]).toEqual([{ vectors: 1, texts: 1 }, ['stays']]);
  });

  it('return no more bytes of values than a statement may', async () => {
    await put(['a', 'b', 'c'].map((key) => makeItem(['s'], key, { t: 'x'.repeat(100) })));
    const answer = await fixture.inTenant(tenantId, (tx) =>
      readItems(
        tx,
        scope(userId, 900),
        ['a', 'b', 'c'].map((key) => ({ namespace: ['s'], key })),
      ),
    );
    expect(answer).toMatchObject({ isTruncated: true, items: [{ key: 'a' }, { key: 'b' }, { value: {} }] });
    expect((await search()).isTruncated).toBe(false);
  });

  it('count with their places, so that many tiny ones are no answer without an end', async () => {
    await put(['a', 'b'].map((key) => makeItem(['s', 'x'.repeat(200)], key.repeat(500), {})));
    const { bytes } = await search();
    expect(bytes).toBeGreaterThan(JSON.stringify((await search()).items).length);
  });

  it.each(['a_', '/~', 'a@b.', '<a '])('are put and found in linear time with words like %s', async (part) => {
    // With the texts as they are, PostgreSQL works half a minute on each of the first two.
    const words = `${part.repeat(25_000)} marvelquart_tindrapel`;
    await put([makeItem(['w'], 'k', {}, { words }), makeItem(['w'], 'other', { t: 'tea' })]);
    const ranking = (text: string) => ({ words: text, vector: null, vectorWeight: 0 });
    expect(await keysOf({ ranking: ranking('tindrapel?') })).toEqual(['k']);
    expect(await keysOf({ ranking: ranking(`${part.repeat(1_900)} marvelquart`) })).toEqual(['k']);
  });

  it('are written without changing the row of their user, and beside who changes it', async () => {
    await put([makeItem(['l'], 'k', {})]);
    const version = () =>
      fixture.queryAsSuperuser('SELECT xmin::text, ctid::text FROM users WHERE user_id = $1', [userId]);
    const before = await version();
    expect(before).toHaveLength(1);
    await put([makeItem(['l'], 'k', {}), makeItem(['l'], 'k2', {})]);
    const places = [{ namespace: ['l'], key: 'k' }];
    await fixture.inTenant(tenantId, async (tx) => {
      const writer = { userId, now: fixture.clock.now() };
      await lockItems(tx, writer, { places, mayInsert: false });
      await deleteItems(tx, writer, places);
    });
    expect(await version()).toEqual(before);
    expect(await keysOf()).toEqual(['k2']);
  });

  it('are put by several in another order each, in steps, without waiting for each other forever', async () => {
    const items = ['a', 'b', 'c', 'd'].map((key) => makeItem(['o'], key, {}));
    const putInSteps = (order: readonly NewItem[]) =>
      fixture.inTenant(tenantId, async (tx) => {
        const writer = { userId, now: fixture.clock.now() };
        await lockItems(tx, writer, { places: order, mayInsert: true });
        for (const item of order) await putItems(tx, writer, { items: [item], model: 'm' }, fixture);
      });
    await Promise.all(Array.from({ length: 8 }, (_, n) => putInSteps(n % 2 === 0 ? items : items.toReversed())));
    expect((await keysOf()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are exported with their user, erased with them, and leave no word', async () => {
    const texts = [
      { text: 'quixotrium', vector: Float32Array.of(1, 0) },
      { text: 'quixotrium, late', vector: null },
    ];
    await put([makeItem(['e'], 'the key', { t: 'quixotrium' }, { texts, ttlMinutes: 5 })]);
    const lines: string[] = [];
    for await (const text of (await exportUser(fixture.database, tenantId, userId, fixture.clock))!)
      lines.push(...text.trim().split('\n'));
    const exported = lines.map((line) => JSON.parse(line) as { kind: string; data: object });
    expect(exported.filter(({ kind }) => kind === 'langgraph_item')).toMatchObject([
      { data: { user_id: userId, namespace: ['e'], key: 'the key', value: { t: 'quixotrium' }, ttl_minutes: 5 } },
    ]);
    expect(await fixture.findTablesContaining('quixotrium')).toEqual(['langgraph_item_texts', 'langgraph_items']);
    const erased = await fixture.inTenant(tenantId, (tx) =>
      eraseUser(
        tx,
        { userId, actor: 'test', key: KEY },
        { clock: fixture.clock, ids: fixture.ids, randomBytes: (size) => randomBytes(size) },
      ),
    );
    expect(erased!.receipt.counts).toMatchObject({
      langgraph_items: 1,
      langgraph_item_texts: 2,
      langgraph_item_vectors: 1,
    });
    expect(await fixture.findTablesContaining('quixotrium')).toEqual([]);
    expect(await keysOf()).toEqual([]);
  });

  it('leave nothing behind when their user is erased while they are put', async () => {
    await put([makeItem(['e'], 'first', { t: 'velmorphic' })]);
    const erase = fixture.inTenant(tenantId, (tx) =>
      eraseUser(
        tx,
        { userId, actor: 'test', key: KEY },
        { clock: fixture.clock, ids: fixture.ids, randomBytes: (size) => randomBytes(size) },
      ),
    );
    const [, ...puts] = await Promise.allSettled([
      erase,
      ...['a', 'b', 'c'].map((key) => put([makeItem(['e'], key, { t: 'late' })])),
    ]);
    expect(puts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(await fixture.findTablesContaining('velmorphic')).toEqual([]);
  });

  it('are put by many at once without waiting for each other forever', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => `k${n}`);
    const items = keys.map((key) => makeItem(['c'], key, { n: 0 }, { ttlMinutes: 5 }));
    await put(items);
    await Promise.all(
      keys.flatMap((_, n) => [
        put(n % 2 === 0 ? items : items.toReversed()),
        refresh(['c'], n % 2 === 0 ? keys : keys.toReversed()),
      ]),
    );
    expect(await keysOf({ limit: 100 })).toHaveLength(12);
  });
});
