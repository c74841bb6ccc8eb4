import type { Problem, Webhook, WebhookWithSecret, WebhookDeliveryPage, WebhookPage } from '@annals/contracts';
import { WEBHOOK_EVENTS } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const URL_OF_HOOK = 'https://example.com/hook?token=quixotrium';

describe('webhooks', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let tenants = 0;
  let key: string;

  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_WEBHOOKS_PER_TENANT: '3' } });
  });
  beforeEach(async () => {
    tenantId = await gateway.makeTenant(`tenant ${++tenants}`);
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const put = <Body = WebhookWithSecret>(body: object, headers: Record<string, string> = {}) =>
    gateway.send<Body>(key, 'PUT', '/v1/webhooks', { body: { id: 'hook', url: URL_OF_HOOK, ...body }, headers });
  const get = async (id = 'hook') => (await gateway.send<Webhook>(key, 'GET', `/v1/webhooks/${id}`)).body;
  const addMemory = (userId: string, content: string) =>
    gateway.send(key, 'POST', '/v1/memories', {
      body: { user_id: userId, category: 'preferences', content },
    });
  const listDeliveries = async (query = '') =>
    (await gateway.send<WebhookDeliveryPage>(key, 'GET', `/v1/webhooks/hook/deliveries${query}`)).body;

  it('are created with a secret that is shown once, and replaced by their id with the same one', async () => {
    const created = await put({});
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: 'hook',
        url: URL_OF_HOOK,
        events: [...WEBHOOK_EVENTS],
        include: [],
        enabled: true,
        disabled_reason: null,
        pending: 0,
        dead: 0,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const again = await put({ events: ['memory.created'], include: ['content'] });
    expect(again).toMatchObject({ status: 200, body: { events: ['memory.created'], include: ['content'] } });
    expect(again.body).not.toHaveProperty('secret');
    const repeated = await put({ events: ['memory.created'], include: ['content'] });
    expect(repeated.status).toBe(200);
    expect(await get()).toEqual(repeated.body);
    const { body } = await gateway.send<WebhookPage>(key, 'GET', '/v1/webhooks');
    expect(body).toEqual({ items: [await get()], next_cursor: null });
  });

  it('are stored without their secret, which no log line has, nor the URL', async () => {
    const { secret } = (await put({})).body;
    const rotated = await gateway.send<WebhookWithSecret>(key, 'POST', '/v1/webhooks/hook/rotate-secret', { body: {} });
    await gateway.send(key, 'DELETE', '/v1/webhooks/hook');
    const log = gateway.log.join('');
    for (const text of [secret!, rotated.body.secret!, 'quixotrium']) expect(log).not.toContain(text);
    const rows = await gateway.database.readTenant(tenantId, (tx) => tx.query('SELECT * FROM webhooks'));
    expect(JSON.stringify(rows)).not.toContain(secret!.slice('whsec_'.length));
    const about = { tenantId, webhookId: 'hook' };
    expect(gateway.logged('webhook_saved')).toContainEqual(expect.objectContaining({ ...about, isNew: true }));
    expect(gateway.logged('webhook_secret_rotated')).toContainEqual(expect.objectContaining(about));
    expect(gateway.logged('webhook_deleted')).toContainEqual(expect.objectContaining({ ...about, dropped: 0 }));
  });

  it('get another secret when asked to, and the one before signs for as long as asked', async () => {
    const { secret } = (await put({})).body;
    const rotate = (body: object) =>
      gateway.send<WebhookWithSecret>(key, 'POST', '/v1/webhooks/hook/rotate-secret', { body });
    const rotated = await rotate({ overlap_hours: 48 });
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(secret);
    const until = Date.parse(rotated.body.previous_secret_until!);
    expect((until - Date.parse(rotated.body.updated_at)) / 3_600_000).toBe(48);
    expect((await rotate({ overlap_hours: 0 })).body.previous_secret_until).toBeNull();
    expect(await rotate({ overlap_hours: 169 })).toMatchObject({ status: 400 });
  });

  it('repeat a request under an Idempotency-Key without its secret', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await put({}, headers);
    const second = await put({}, headers);
    expect(second).toMatchObject({ status: 201, body: { id: 'hook' } });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(first.body.secret).toBeDefined();
    expect(second.body).not.toHaveProperty('secret');
  });

  it.each([
    ['body.url', { url: 'http://example.com/' }],
    ['body.url', { url: 'https://127.0.0.1/' }],
    ['body.url', { url: 'https://2130706433/' }],
    ['body.url', { url: 'https://[::ffff:169.254.169.254]/' }],
    ['body.url', { url: 'https://user:word@example.com/' }],
    ['body.url', { url: 'https://example.com:22/' }],
    ['body.url', { url: 'no url' }],
    ['body.url', { url: 'https:example.com' }],
    ['body.url', { url: 'https://example.com\\@127.0.0.1/' }],
    ['body.url', { url: 'https://example.com/\u0000' }],
    ['body.url', { url: 'https://example.com/\ud800' }],
    ['body.url', { url: 'https://example.com/#' }],
    ['body.url', { url: `https://example.com/${'x'.repeat(2_000)}` }],
    ['body.id', { id: 'No Name' }],
    ['body.events[0]', { events: ['memory.unknown'] }],
    ['body.events', { events: [] }],
    ['body.include[0]', { include: ['everything'] }],
    ['body.enabled', { enabled: 'yes' }],
  ])('name the field %s of what they refuse (%#)', async (path, body) => {
    const refused = await put<Problem>(body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ path }));
    expect((await gateway.send<WebhookPage>(key, 'GET', '/v1/webhooks')).body.items).toEqual([]);
  });

  it('are limited in number for each tenant, also when many are created at once', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => put<Problem>({ id })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'too_many_webhooks',
      detail: expect.stringContaining('ANNALS_WEBHOOKS_PER_TENANT'),
    });
    const [first] = (await gateway.send<WebhookPage>(key, 'GET', '/v1/webhooks?limit=1')).body.items;
    expect((await put({ id: first!.id })).status).toBe(200);
  });

  it('belong to their tenant, and need a key with the scope admin and no bindings', async () => {
    await put({});
    const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('stranger') });
    expect((await gateway.send(stranger, 'GET', '/v1/webhooks/hook')).status).toBe(404);
    expect((await gateway.send(stranger, 'DELETE', '/v1/webhooks/hook')).status).toBe(404);
    expect((await gateway.send(stranger, 'POST', '/v1/webhooks/hook/replay', { body: {} })).status).toBe(404);
    for (const options of [
      { scopes: ['ingest', 'query'] as const },
      { userId: 'ada' },
      { categories: ['preferences'] },
    ]) {
      const weak = await gateway.makeKey({ tenantId, ...options });
      expect((await gateway.send(weak, 'GET', '/v1/webhooks')).status).toBe(403);
    }
  });

  it('keep events while they are paused, and show them', async () => {
    expect((await put({ enabled: false })).body).toMatchObject({ enabled: false, disabled_reason: 'paused' });
    await addMemory('ada', 'Ada drinks tea.');
    await addMemory('bob', 'Bob drinks tea.');
    expect(await get()).toMatchObject({ pending: 2, dead: 0 });
    const { items } = await listDeliveries();
    expect(items.map((item) => [item.type, item.user_id, item.status, item.sequence])).toEqual([
      ['memory.created', 'bob', 'pending', 1],
      ['memory.created', 'ada', 'pending', 1],
    ]);
    expect(JSON.stringify(items)).not.toContain('tea');
    const page = await listDeliveries('?limit=1');
    expect(page.items).toEqual(items.slice(0, 1));
    expect((await listDeliveries(`?limit=1&cursor=${page.next_cursor}`)).items).toEqual(items.slice(1));
    expect((await listDeliveries('?user_id=ada')).items).toEqual(items.slice(1));
    expect((await listDeliveries('?status=dead')).items).toEqual([]);
    expect((await gateway.send(key, 'GET', '/v1/webhooks/hook/deliveries?cursor=x')).status).toBe(400);
    const deleted = await gateway.send(key, 'DELETE', '/v1/webhooks/hook');
    expect(deleted).toMatchObject({ status: 200, body: { id: 'hook', dropped: 2 } });
    expect((await gateway.send(key, 'GET', '/v1/webhooks/hook')).status).toBe(404);
  });

  it('are tested by an event of their own', async () => {
    await put({ events: ['batch.done'] });
    const tested = await gateway.send<{ event_id: string }>(key, 'POST', '/v1/webhooks/hook/test');
    expect(tested.status).toBe(202);
    const { items } = await listDeliveries();
    expect(items).toMatchObject([{ event_id: tested.body.event_id, type: 'webhook.test', user_id: null }]);
    expect((await gateway.send(key, 'POST', '/v1/webhooks/other/test')).status).toBe(404);
  });

  it('send again what was given up or delivered, and not everything by mistake', async () => {
    await put({});
    await addMemory('ada', 'Ada drinks tea.');
    await addMemory('bob', 'Bob drinks tea.');
    const settle = (status: string) =>
      gateway.database.inTenant(tenantId, (tx) => tx.execute('UPDATE webhook_deliveries SET status = $1', [status]));
    const replay = (body: object) => gateway.send(key, 'POST', '/v1/webhooks/hook/replay', { body });
    await settle('dead');
    expect(await get()).toMatchObject({ pending: 0, dead: 2 });
    expect(await replay({ user_id: 'ada' })).toMatchObject({ status: 200, body: { replayed: 1, has_more: false } });
    expect(await replay({})).toMatchObject({ status: 200, body: { replayed: 1 } });
    await settle('delivered');
    expect(await replay({})).toMatchObject({ body: { replayed: 0 } });
    expect(await replay({ status: 'any' })).toMatchObject({ status: 400, body: { errors: [{ path: 'body.status' }] } });
    const [after, before] = ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'];
    expect(await replay({ after, before })).toMatchObject({ status: 400, body: { errors: [{ path: 'body.before' }] } });
    expect(await replay({ status: 'delivered', after })).toMatchObject({ body: { replayed: 2 } });
    expect(gateway.logged('webhook_replayed')).toContainEqual(expect.objectContaining({ tenantId, replayed: 2 }));
  });
});
