import {
  LANGGRAPH_STORE_USER,
  type LangGraphStoreResult,
  type LangGraphStoreResults,
  type Problem,
} from '@annals/contracts';
import { ManualClock } from '@annals/domain';
import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { purgeExpiredItems } from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const MINUTE_MS = 60_000;
const PATH = '/v1/langgraph/store/batch';

type Operation = Readonly<Record<string, unknown>>;
type ResultOf<Op extends LangGraphStoreResult['op']> = Extract<LangGraphStoreResult, { op: Op }>;

describe("LangGraph's store over HTTP", () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 29));
  /** Texts that the model was given. */
  const embedded: string[] = [];
  let modelCalls = 0;
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let user: string;
  let users = 0;
  beforeAll(async () => {
    const hashed = createEmbeddingProvider({ provider: 'hashed' });
    const embed: EmbeddingProvider['embed'] = (texts, options) => {
      modelCalls += 1;
      embedded.push(...texts);
      return hashed.embed(texts, options);
    };
    gateway = await startGateway({
      clock,
      embedder: Object.assign(Object.create(hashed) as EmbeddingProvider, { embed }),
    });
    tenantId = await gateway.makeTenant('store');
    key = await gateway.makeKey({ tenantId });
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });
  afterAll(() => gateway.close());

  interface Sender {
    readonly as?: string;
    readonly user_id?: string | null;
    readonly headers?: Record<string, string>;
  }
  const send = (operations: readonly Operation[], { as = key, user_id = user, headers = {} }: Sender = {}) =>
    gateway.send<LangGraphStoreResults & Problem>(as, 'POST', PATH, {
      body: { operations, ...(user_id === null ? {} : { user_id }) },
      headers,
    });
  const run = async (operations: readonly Operation[], sender?: Sender) => {
    const { status, body } = await send(operations, sender);
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    return body.results;
  };
  const put = (namespace: readonly string[], name: string, value: object, more: object = {}): Operation => ({
    op: 'put',
    namespace,
    key: name,
    value,
    ...more,
  });
  const get = (namespace: readonly string[], name: string, more: object = {}): Operation => ({
    op: 'get',
    namespace,
    key: name,
    ...more,
  });
  const search = (more: object = {}): Operation => ({ op: 'search', namespace_prefix: [], ...more });
  const keysOf = async (more: object = {}, sender?: Sender) => {
    const [found] = (await run([search(more)], sender)) as [ResultOf<'search'>];
    return found.items.map((item) => item.key);
  };
  const valueOf = async (namespace: readonly string[], name: string, sender?: Sender) => {
    const [found] = (await run([get(namespace, name)], sender)) as [ResultOf<'get'>];
    return found.item?.value ?? null;
  };

  it('runs a batch in order: each operation sees what those before it have written', async () => {
    const results = await run([
      get(['a'], 'k'),
      put(['a'], 'k', { n: 1 }),
      get(['a'], 'k'),
      put(['a'], 'k', { n: 2 }),
      put(['a'], 'other', { n: 3 }),
      search(),
      { op: 'delete', namespace: ['a'], key: 'k' },
      get(['a'], 'k'),
      get(['a'], 'other'),
      { op: 'list_namespaces' },
    ]);
    expect(results).toMatchObject([
      { op: 'get', item: null },
      { op: 'put' },
      { op: 'get', item: { namespace: ['a'], key: 'k', value: { n: 1 } } },
      { op: 'put' },
      { op: 'put' },
      { op: 'search', items: [{ value: { n: expect.any(Number) }, score: null }, { score: null }] },
      { op: 'delete' },
      { op: 'get', item: null },
      { op: 'get', item: { value: { n: 3 } } },
      { op: 'list_namespaces', namespaces: [['a']] },
    ]);
  });

  it('refuses a value whose numbers are too long when they are stored, and names it', async () => {
    const { status, body } = await send([put(['a'], 'k', { list: Array.from({ length: 5_000 }, () => 1e308) })]);
    expect([status, body.code]).toEqual([413, 'item_too_large']);
    expect(body.errors).toMatchObject([{ path: 'body.operations[0].value' }]);
  });

  it('refuses a filter with a path that is longer than any value is deep', async () => {
    const { status, body } = await send([search({ filter: { ['a.'.repeat(5_000)]: 1 } })]);
    expect([status, body.errors]).toMatchObject([
      400,
      [{ path: 'body.operations[0].filter', message: expect.stringContaining('at most 101') }],
    ]);
  });

  it('embeds the queries of a batch together', async () => {
    embedded.length = 0;
    modelCalls = 0;
    await run(Array.from({ length: 30 }, (_, n) => search({ query: `query number ${n}`, mode: 'vector' })));
    expect([modelCalls, embedded.length]).toEqual([1, 30]);
  });

  it('carries out all operations of a batch or none', async () => {
    const refused = await send([put(['a'], 'k', {}), put([], 'k', {})]);
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.operations[1].namespace', message: 'Namespace cannot be empty.' }] },
    });
    expect(await valueOf(['a'], 'k')).toBeNull();
  });

  it('begins a new item when one is put behind its deletion', async () => {
    await run([put(['a'], 'k', { n: 1 })]);
    const [before] = (await run([get(['a'], 'k')])) as [ResultOf<'get'>];
    clock.advance(1_000);
    await run([{ op: 'delete', namespace: ['a'], key: 'k' }, put(['a'], 'k', { n: 2 })]);
    const [after] = (await run([get(['a'], 'k')])) as [ResultOf<'get'>];
    expect(after.item).toMatchObject({ value: { n: 2 } });
    expect(after.item!.created_at > before.item!.created_at).toBe(true);
  });

  it.each<[string, RegExp, Operation]>([
    ['body.operations[0].namespace[0]', /cannot contain periods/, put(['a.b'], 'k', {})],
    ['body.operations[0].namespace[1]', /cannot be empty strings/, put(['a', ''], 'k', {})],
    ['body.operations[0].namespace', /cannot be "langgraph"/, put(['langgraph'], 'k', {})],
    ['body.operations[0].namespace[1]', /Send a string/, put(['a', 1 as never], 'k', {})],
    ['body.operations[0].namespace[0]', /at most 200/, put(['a'.repeat(201)], 'k', {})],
    [
      'body.operations[0].namespace',
      /800 bytes/,
      put(
        Array.from({ length: 5 }, () => 'é'.repeat(100)),
        'k',
        {},
      ),
    ],
    ['body.operations[0].key', /800 bytes/, put(['a'], 'é'.repeat(450), {})],
    ['body.operations[0].key', /at least 1/, put(['a'], '', {})],
    ['body.operations[0].key', /NUL/, put(['a'], 'k\u0000', {})],
    ['body.operations[0].value.t[1].u', /NUL/, put(['a'], 'k', { t: ['x', { u: 'nul\u0000' }] })],
    ['body.operations[0].value.t', /surrogates/, put(['a'], 'k', { t: '\ud800' })],
    ['body.operations[0].value', /object/, put(['a'], 'k', [])],
    ['body.operations[0].ttl_minutes', /./, put(['a'], 'k', {}, { ttl_minutes: 0 })],
    ['body.operations[0].index', /./, put(['a'], 'k', {}, { index: 'title' })],
    [
      'body.operations[0].index',
      /100/,
      put(['a'], 'k', { t: Array.from({ length: 101 }, () => 'x') }, { index: ['t[*]'] }),
    ],
    ['body.operations[0].op', /one of: get, put/, { op: 'drop' }],
    ['body.operations[0].filter.a', /\$regex is unknown.*\$eq/, search({ filter: { a: { $regex: '.*' } } })],
    ['body.operations[0].filter.a', /another field/, search({ filter: { a: { "$'; DROP": 1 } } })],
    ['body.operations[0].filter.a', /another field/, search({ filter: { a: { $eq: 1, b: 2 } } })],
    ['body.operations[0].filter', /\$or belongs below/, search({ filter: { $or: [] } })],
    ['body.operations[0].filter.a', /a list/, search({ filter: { a: { $in: 1 } } })],
    ['body.operations[0].filter.a', /true or false/, search({ filter: { a: { $exists: 1 } } })],
    ['body.operations[0].filter.a.b', /a number or a text/, search({ filter: { a: { b: { $gt: {} } } } })],
    ['body.operations[0].filter.a', /NUL/, search({ filter: { a: 'x\u0000' } })],
    ['body.operations[0].mode', /one of: text, vector, hybrid/, search({ query: 'x', mode: 'fuzzy' })],
    ['body.operations[0].limit', /1000/, search({ limit: 1_001 })],
  ])('refuses what is wrong at %s: %s', async (path, message, operation) => {
    expect(await send([operation])).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path, message: expect.stringMatching(message) }] },
    });
  });

  it('refuses too many operations, and values that are nested too deep', async () => {
    expect(await send(Array.from({ length: 201 }, () => get(['a'], 'k')))).toMatchObject({ status: 400 });
    expect(await send([])).toMatchObject({ status: 400 });
    let deep: object = {};
    for (let level = 0; level < 2_000; level += 1) deep = { a: deep };
    const { status, body } = await send([put(['a'], 'k', deep)]);
    expect([status, body.errors?.[0]?.message]).toEqual([400, expect.stringContaining('levels deep')]);
  });

  it('gives items that name no user to one of their own', async () => {
    await run([put(['shared'], 'k', { n: 1 })], { user_id: null });
    expect(await valueOf(['shared'], 'k', { user_id: LANGGRAPH_STORE_USER })).toEqual({ n: 1 });
    expect(await valueOf(['shared'], 'k')).toBeNull();
  });

  it('restricts keys to their tenant, their user and their scopes, and refuses agents and categories', async () => {
    await run([put(['mine'], 'k', { n: 1 })]);
    const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant(`strangers of ${user}`) });
    expect(await keysOf({}, { as: stranger })).toEqual([]);
    await run([{ op: 'delete', namespace: ['mine'], key: 'k' }], { as: stranger });
    expect(await valueOf(['mine'], 'k')).toEqual({ n: 1 });

    const bound = await gateway.makeKey({ tenantId, userId: user });
    expect(await keysOf({}, { as: bound, user_id: null })).toEqual(['k']);
    expect(await send([get(['mine'], 'k')], { as: bound, user_id: 'somebody else' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_user', errors: [{ path: 'body.user_id' }] },
    });
    const ofBob = await gateway.makeKey({ tenantId, userId: 'bob' });
    await run([put(['bobs'], 'k', { n: 2 })], { as: ofBob, user_id: null });
    expect(await keysOf({}, { as: ofBob, user_id: null })).toEqual(['k']);
    expect(await valueOf(['bobs'], 'k', { user_id: 'bob' })).toEqual({ n: 2 });

    const planner = await gateway.makeKey({ tenantId, agentId: 'planner' });
    expect(await send([search()], { as: planner })).toMatchObject({ status: 403, body: { code: 'forbidden_agent' } });
    const narrow = await gateway.makeKey({ tenantId, categories: ['goals'] });
    expect(await send([search()], { as: narrow })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_category' },
    });
  });

  it('names the operations for which a key lacks the scope, and carries out none', async () => {
    const writer = await gateway.makeKey({ tenantId, scopes: ['ingest'] });
    const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
    const admin = await gateway.makeKey({ tenantId, scopes: ['admin'] });
    const both = [put(['a'], 'k', { n: 1 }), get(['a'], 'k')];
    expect(await send(both, { as: writer })).toMatchObject({
      status: 403,
      body: {
        code: 'forbidden_scope',
        errors: [{ path: 'body.operations[1]', message: expect.stringContaining('query for get') }],
      },
    });
    expect(await send(both, { as: reader })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_scope', errors: [{ path: 'body.operations[0]' }] },
    });
    expect((await send(both, { as: admin })).status).toBe(403);
    expect(await valueOf(['a'], 'k')).toBeNull();
    await run([put(['a'], 'k', { n: 1 })], { as: writer });
    expect(await valueOf(['a'], 'k', { as: reader })).toEqual({ n: 1 });
  });

  it('stores once under an Idempotency-Key, and returns no stored answer to a key that may not read', async () => {
    const headers = { 'idempotency-key': `once for ${user}` };
    const operations = [put(['a'], 'k', { n: 1 }), get(['a'], 'k')];
    const first = await send(operations, { headers });
    await run([put(['a'], 'k', { n: 2 })]);
    const again = await send(operations, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await valueOf(['a'], 'k')).toEqual({ n: 2 });
    const writer = await gateway.makeKey({ tenantId, scopes: ['ingest'] });
    expect((await send(operations, { headers, as: writer })).status).toBe(403);
  });

  it('returns no item that has expired, and lives on what is read with refresh_ttl', async () => {
    await run([
      put(['t'], 'short', {}, { ttl_minutes: 1 }),
      put(['t'], 'read', {}, { ttl_minutes: 1 }),
      put(['t'], 'found', { t: 'tea' }, { ttl_minutes: 1 }),
      put(['t'], 'forever', {}),
    ]);
    clock.advance(MINUTE_MS - 1);
    await run([
      get(['t'], 'short'),
      get(['t'], 'read', { refresh_ttl: true }),
      search({ query: 'tea', mode: 'text', refresh_ttl: true }),
    ]);
    clock.advance(1);
    expect((await keysOf()).toSorted()).toEqual(['forever', 'found', 'read']);
    const [one, , statistics] = await run([get(['t'], 'short'), { op: 'list_namespaces' }, { op: 'statistics' }]);
    expect(one).toMatchObject({ item: null });
    expect(statistics).toMatchObject({ items: 3, expired: 1, namespaces: 1, oldest: expect.any(String) });
    clock.advance(MINUTE_MS);
    expect(await keysOf()).toEqual(['forever']);
    expect(await purgeExpiredItems(gateway.database, clock.now(), 100)).toBeGreaterThanOrEqual(3);
    expect(await run([{ op: 'statistics' }])).toMatchObject([{ items: 1, expired: 0 }]);
  });

  it('finds by meaning what was indexed, by words everything, and by both with a weight', async () => {
    const value = {
      title: 'Sourdough bread',
      body: { steps: ['Feed the starter', 'Fold the dough'] },
      note: 'secret sauce',
    };
    await run([
      put(['r'], 'bread', value, { index: ['title', 'body.steps[*]'] }),
      put(['r'], 'other', { title: 'A list of trains' }, { index: ['$'] }),
      put(['r'], 'unindexed', { title: 'Sourdough bread' }),
    ]);
    expect((await keysOf({ query: 'sourdough bread', mode: 'vector', limit: 1 }))[0]).toBe('bread');
    expect(await keysOf({ query: 'sourdough bread', mode: 'vector', similarity_threshold: 0.5 })).toEqual(['bread']);
    expect(await keysOf({ query: 'fold the dough', mode: 'vector', similarity_threshold: 0.5 })).toEqual(['bread']);
    expect(await keysOf({ query: 'secret sauce', mode: 'vector', similarity_threshold: 0.5 })).toEqual([]);
    expect(await keysOf({ query: 'secret sauce', mode: 'text' })).toEqual(['bread']);
    const hybrid = { query: 'sourdough bread', similarity_threshold: 0.5 };
    expect((await keysOf(hybrid)).toSorted()).toEqual(['bread', 'unindexed']);
    expect(await keysOf({ ...hybrid, filter: { note: { $exists: true } } })).toEqual(['bread']);
  });

  it('embeds nothing of a person that can be redacted, and stores the value as it is', async () => {
    await run([put(['p'], 'k', { t: 'write to jo@example.org' }, { index: ['t'] })]);
    expect(await valueOf(['p'], 'k')).toEqual({ t: 'write to jo@example.org' });
    const [found] = (await run([search({ query: 'write to jo@example.org', mode: 'vector' })])) as [ResultOf<'search'>];
    expect(found.items[0]!.score).toBeCloseTo(1, 2);
    expect(embedded.filter((text) => text.startsWith('write to'))).toHaveLength(2);
    expect(embedded.join()).not.toContain('jo@example.org');
  });

  it('filters by nested fields and lists', async () => {
    await run([
      put(['f'], 'a', { meta: { author: { name: 'Ada' }, year: 1843 }, tags: ['x'] }),
      put(['f'], 'b', { meta: { author: { name: 'Bob' }, year: 1999 }, tags: [] }),
    ]);
    expect(await keysOf({ filter: { meta: { author: { name: 'Ada' } } } })).toEqual(['a']);
    expect(await keysOf({ filter: { 'meta.year': { $gt: 1900, $lt: 2000 } } })).toEqual(['b']);
    expect(await keysOf({ filter: { meta: { year: { $in: [1843, 1] } }, tags: ['x'] } })).toEqual(['a']);
    expect(await keysOf({ filter: { tags: [] } })).toEqual(['b']);
  });

  it('logs no word of an item', async () => {
    await run([put(['l'], 'velmorphic key', { t: 'quixotrium' }, { index: ['t'] }), search({ query: 'quixotrium' })]);
    await send([put(['l'], 'k', { quixotrium: 'nul\u0000' }), search({ filter: { t: { $quixotrium: 1 } } })]);
    expect(gateway.log.join('')).not.toMatch(/quixotrium|velmorphic/);
  });
});
