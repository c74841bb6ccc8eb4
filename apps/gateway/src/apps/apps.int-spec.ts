import type {
  AppBody,
  AppContextBody,
  AppMemoriesDeleted,
  AppMemoryBody,
  AppUninstalled,
  ConversationAccepted,
  Problem,
} from '@annals/contracts';
import { loadAppMemorySubject, loadSummarizableMessages, writeAppMemory } from '@annals/storage';
import { METRICS_TOKEN, startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('apps and their memories over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let count = 0;

  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_MINDS: 'on' } });
    tenantId = await gateway.makeTenant('apps');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway?.close());

  const install = async (body: object = {}) => {
    const app = `app-${++count}`;
    await gateway.send(key, 'PUT', `/v1/apps/${app}`, { body: { name: 'Calendar', ...body } });
    return app;
  };
  const newUser = () => `user-${++count}`;
  const converse = async (app: string, user: string, rest = {}) => {
    const { body } = await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', {
      body: { user_id: user, app_id: app, end: true, messages: [{ role: 'user', content: 'I like tea.' }], ...rest },
    });
    return body.conversation_id;
  };
  /** Writes the memory of a conversation, as the worker does. */
  const remember = (conversationId: string, content = 'The user likes tea.') =>
    gateway.database.inTenant(tenantId, async (tx) => {
      const { clock, ids } = gateway.infrastructure;
      const { userId, appId, lastSeq: asOfSeq } = (await loadAppMemorySubject(tx, conversationId))!;
      const messages = await loadSummarizableMessages(tx, conversationId, -1);
      const made = { content, messageIds: messages.map(({ id }) => id), provider: 'local', model: null };
      const fresh = { id: ids.next(), appId: appId!, userId, conversationId, asOfSeq, ...made };
      await writeAppMemory(tx, { fresh, replaces: null, plan: null, state: 'active', now: clock.now() });
      return fresh.id;
    });
  const context = <Body = AppContextBody>(app: string, query: object, by = key) =>
    gateway.send<Body>(
      by,
      'GET',
      `/v1/apps/${app}/context?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
  const list = async (app: string, query = '', by = key) =>
    (await gateway.send<{ items: AppMemoryBody[] }>(by, 'GET', `/v1/apps/${app}/memories${query}`)).body.items;
  const remove = <Body = AppMemoriesDeleted>(path: string, by = key) => gateway.send<Body>(by, 'DELETE', path);

  it('installs, changes and lists apps, for the whole tenant', async () => {
    const app = await install();
    const path = `/v1/apps/${app}`;
    expect((await gateway.send<AppBody>(key, 'GET', path)).body).toMatchObject({
      app_id: app,
      name: 'Calendar',
      shared: false,
    });
    await gateway.send(key, 'PUT', path, { body: { name: 'Calendar', shared: true } });
    const renamed = await gateway.send<AppBody>(key, 'PUT', path, { body: { name: 'Diary' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Diary', shared: true } });
    const { body } = await gateway.send<{ items: AppBody[] }>(key, 'GET', '/v1/apps');
    expect(body.items).toContainEqual(renamed.body);
    const missing = await gateway.send(key, 'GET', '/v1/apps/nothing');
    expect([missing.status, missing.body.detail]).toEqual([404, expect.stringContaining('PUT /v1/apps/{app_id}')]);
    expect((await gateway.send(key, 'PUT', '/v1/apps/%2E%2E', { body: { name: 'x' } })).status).toBeGreaterThanOrEqual(
      400,
    );
    const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('strangers') });
    expect((await gateway.send(stranger, 'GET', path)).status).toBe(404);
    const reader = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    expect((await gateway.send(reader, 'GET', path)).status).toBe(403);
  });

  it('gives the context byte for byte, the last change first, and injects nothing into a prompt by names', async () => {
    const app = await install({ name: 'Cal\nendar' });
    const user = newUser();
    expect((await context(app, { user_id: user })).body).toEqual({
      app_id: app,
      user_id: user,
      text: '',
      memory_ids: [],
      memories_injected: false,
      as_of: null,
    });
    const first = await remember(await converse(app, user));
    const second = await remember(await converse(app, user), 'The user likes milk.');
    const { body } = await context(app, { user_id: user });
    const [{ updated_at: asOf }] = (await list(app)) as [AppMemoryBody];
    const day = asOf.slice(0, 10);
    expect(body).toMatchObject({ memory_ids: [second, first], memories_injected: false, as_of: asOf });
    expect(body.text).toBe(
      [
        '(memories for app: Cal endar)',
        'The following are memories from previous conversations with this app:',
        '',
        `1. [Created: ${day}] The user likes milk.`,
        `2. [Created: ${day}] The user likes tea.`,
        '',
        'Use these memories to provide context-aware responses.',
      ].join('\n'),
    );
    for (const place of ['review', 'selection']) {
      expect((await context(app, { user_id: user, place })).body.text).toBe(body.text);
    }
  });

  it('counts a conversation once, and none for a selection or without memories', async () => {
    const app = await install();
    const user = newUser();
    const conversation = await converse(app, user);
    const named = { user_id: user, conversation_id: conversation };
    const injected = async (query: object) => (await context(app, query)).body.memories_injected;
    const counted = async () => {
      const { body } = await gateway.send<{ text: string }>(METRICS_TOKEN, 'GET', '/metrics');
      return Number(/^memory_llm_app_contexts_injected_total (\d+)/m.exec(body.text)?.[1] ?? 0);
    };
    const before = await counted();
    expect(await injected(named)).toBe(false);
    await remember(conversation);
    expect(await injected({ ...named, place: 'selection' })).toBe(false);
    expect(await counted()).toBe(before);
    expect([await injected(named), await injected({ ...named, place: 'review' })]).toEqual([true, true]);
    expect(await counted()).toBe(before + 1);
    const others = { user_id: newUser(), conversation_id: conversation };
    expect((await context<Problem>(app, others)).status).toBe(404);
    expect((await context<Problem>(app, {})).body.errors).toMatchObject([{ path: 'query.user_id' }]);
    expect((await context<Problem>('nothing', named)).body.detail).toContain('PUT /v1/apps/{app_id}');
  });

  it('counts each conversation that gets a context among those of apps, also when it names its app late', async () => {
    const app = await install();
    const user = newUser();
    await remember(await converse(app, user));
    const read = async () => {
      const { body } = await gateway.send<{ text: string }>(METRICS_TOKEN, 'GET', '/metrics');
      const [injected, all] = ['contexts_injected', 'conversations'].map((name) =>
        Number(new RegExp(`^memory_llm_app_${name}_total (\\d+)`, 'm').exec(body.text)?.[1] ?? 0),
      );
      return { injected: injected!, all: all! };
    };
    const post = async (fields: object) => {
      const messages = [{ role: 'user', content: `I like tea, cup ${++count}.` }];
      const body = { user_id: user, thread_id: 'late', messages, ...fields };
      return (await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', { body })).body
        .conversation_id;
    };
    const before = await read();
    const id = await post({});
    expect(await read()).toEqual(before);
    await post({ app_id: app });
    await post({ app_id: app });
    await post({});
    expect(await read()).toEqual({ ...before, all: before.all + 1 });
    expect((await context(app, { user_id: user, conversation_id: id })).body.memories_injected).toBe(true);
    const other = await install();
    await post({ app_id: other });
    expect(await read()).toEqual({ injected: before.injected + 1, all: before.all + 1 });
  });

  it('keeps memories of an app that is uninstalled, until they are purged', async () => {
    const app = await install();
    const user = newUser();
    const id = await remember(await converse(app, user));
    expect((await remove<AppUninstalled>(`/v1/apps/${app}`)).body).toEqual({ app_id: app, deleted_count: 0 });
    expect((await context(app, { user_id: user })).status).toBe(404);
    expect(await list(app)).toMatchObject([{ id, user_id: user, content: 'The user likes tea.', provider: 'local' }]);
    expect((await remove(`/v1/apps/${app}`)).status).toBe(404);
    expect((await remove(`/v1/apps/${app}/memories`)).body).toEqual({ deleted_count: 1 });
    expect(await list(app)).toEqual([]);
    const other = await install();
    await remember(await converse(other, user));
    const purged = await remove<AppUninstalled>(`/v1/apps/${other}?purge_memories=true`);
    expect([purged.body.deleted_count, await list(other)]).toEqual([1, []]);
  });

  it('refuses to share an app whose memories do not fit into one pool', async () => {
    const app = await install();
    const ids = [];
    for (let at = 0; at <= 10; at += 1) ids.push(await remember(await converse(app, newUser())));
    const share = () =>
      gateway.send<AppBody>(key, 'PUT', `/v1/apps/${app}`, { body: { name: 'Calendar', shared: true } });
    const refused = await share();
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'app_not_shareable' })]);
    expect((await list(app)).length).toBe(11);
    await remove(`/v1/apps/${app}/memories/${ids[0]}`);
    expect((await share()).body.shared).toBe(true);
  });

  it('deletes one memory, or those of a person', async () => {
    const app = await install();
    const [ada, bob] = [newUser(), newUser()];
    const [first, second, third] = [
      await remember(await converse(app, ada)),
      await remember(await converse(app, ada)),
      await remember(await converse(app, bob)),
    ];
    const path = `/v1/apps/${app}/memories`;
    expect((await remove(`${path}/${first}`)).body).toEqual({ deleted_count: 1 });
    expect((await remove(`${path}/${first}`)).status).toBe(404);
    expect((await remove(`/v1/apps/${await install()}/memories/${second}`)).status).toBe(404);
    expect((await list(app, `?user_id=${ada}`)).map(({ id }) => id)).toEqual([second]);
    expect((await remove(`${path}?user_id=${ada}`)).body).toEqual({ deleted_count: 1 });
    expect((await list(app)).map(({ id }) => id)).toEqual([third]);
  });

  it('shows a key only what it is bound to', async () => {
    const app = await install();
    const [ada, bob] = [newUser(), newUser()];
    const mine = await remember(await converse(app, ada, { agent_id: 'executor' }));
    const theirs = await remember(await converse(app, ada, { agent_id: 'planner' }));
    await remember(await converse(app, bob));
    const ofAda = await gateway.makeKey({ tenantId, userId: ada, scopes: ['query', 'ingest'] });
    const idsOf = async (by: string) => (await list(app, '', by)).map(({ id }) => id);
    expect([await idsOf(ofAda), (await context(app, {}, ofAda)).body.memory_ids]).toEqual([
      [theirs, mine],
      [theirs, mine],
    ]);
    expect((await context(app, { user_id: bob }, ofAda)).status).toBe(403);
    const ofBob = await gateway.makeKey({ tenantId, userId: bob, scopes: ['query', 'ingest'] });
    expect((await remove(`/v1/apps/${app}/memories/${mine}`, ofBob)).status).toBe(404);
    const executor = await gateway.makeKey({ tenantId, agentId: 'executor', scopes: ['query', 'ingest'] });
    expect([await idsOf(executor), (await context(app, { user_id: ada }, executor)).body.memory_ids]).toEqual([
      [mine],
      [mine],
    ]);
    expect((await remove(`/v1/apps/${app}/memories/${theirs}`, executor)).status).toBe(404);
    expect((await remove(`/v1/apps/${app}/memories`, executor)).status).toBe(403);
    const goals = await gateway.makeKey({ tenantId, categories: ['goals'], scopes: ['query'] });
    expect((await context(app, { user_id: ada }, goals)).status).toBe(403);
    await gateway.send(key, 'PUT', `/v1/apps/${app}`, { body: { name: 'Calendar', shared: true } });
    expect((await context(app, {}, ofBob)).body.memory_ids).toHaveLength(3);
    expect((await list(app, '', ofBob)).map(({ user_id }) => user_id)).toEqual([bob]);
    expect((await remove(`/v1/apps/${app}/memories`, ofAda)).body).toEqual({ deleted_count: 2 });
    expect((await list(app)).map(({ user_id }) => user_id)).toEqual([bob]);
  });
});
