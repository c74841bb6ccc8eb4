import {
  type HistoryPage,
  type Memory,
  type MemoryPage,
  type OwnKey,
  PERSON_ROUTES,
  type PersonLink,
  type PersonLinksRevoked,
  type RouteDefinition,
  routes,
} from '@annals/contracts';
import { ManualClock } from '@annals/domain';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { TenantSettingsFixture } from '../fixtures/tenant-settings.fixture.js';

const MINUTE_MS = 60_000;

describe('links to the page of a person', () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  let gateway: TestGateway;
  let memories: MemoryFixture;
  let tenants: TenantSettingsFixture;
  let adaId: string;
  let beaId: string;
  beforeAll(async () => {
    gateway = await startGateway({ clock });
    memories = await MemoryFixture.open(gateway, 'persons');
    tenants = await TenantSettingsFixture.open(gateway);
    adaId = await memories.addMemory('ada', 'The user lives in London.');
    beaId = await memories.addMemory('bea', 'The user lives in Paris.');
  });
  beforeEach(() => void (gateway.log.length = 0));
  afterAll(() => gateway.close());

  const makeLink = async (userId = 'ada', body: object = {}, key = memories.key) => {
    const answer = await gateway.send<PersonLink>(key, 'POST', `/v1/users/${userId}/links`, { body });
    return { ...answer, token: answer.body.url?.split('#')[1] ?? '' };
  };
  const exchange = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${gateway.url}/me/sign-in`, { method: 'POST', headers });
    return { status: response.status, body: (await response.json()) as { key: string; user_id: string } };
  };
  const open = async (userId = 'ada') => (await exchange((await makeLink(userId)).token)).body.key;

  it('have the token behind # in the URL of the host that was asked', async () => {
    const { status, body, token } = await makeLink();
    expect([status, body.url]).toEqual([201, `${gateway.url}/me/#${token}`]);
    expect(token).toMatch(/^ann_[\w-]{43}$/);
    expect(Date.parse(body.expires_at) - clock.now()).toBe(15 * MINUTE_MS);
  });

  it('open once, for one of all who try at once', async () => {
    const { token } = await makeLink();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    expect(answers.find(({ status }) => status === 201)!.body.user_id).toBe('ada');
  });

  it('open nothing once they have expired, or were revoked', async () => {
    const { token } = await makeLink('ada', { expires_in_seconds: 60 });
    clock.advance(MINUTE_MS);
    const late = await makeLink();
    await gateway.send(memories.key, 'DELETE', `/v1/admin/keys/${late.body.id}`);
    expect([(await exchange(token)).status, (await exchange(late.token)).status]).toEqual([401, 401]);
  });

  it('are no keys of the API, and no key of the API is a link', async () => {
    const { token } = await makeLink();
    const paths = ['/v1/key', '/v1/memories?user_id=ada', '/v1/users/ada/export'];
    const statuses = await Promise.all(paths.map(async (path) => (await gateway.send(token, 'GET', path)).status));
    expect(statuses).toEqual([403, 403, 403]);
    expect((await exchange(memories.key)).status).toBe(401);
    expect((await exchange('')).status).toBe(401);
  });

  it('open a page that ends after an hour', async () => {
    const key = await open();
    const { body } = await gateway.send<OwnKey>(key, 'GET', '/v1/key');
    expect(body).toMatchObject({ user_id: 'ada', scopes: ['ingest', 'query', 'admin', 'person'] });
    clock.advance(60 * MINUTE_MS);
    expect((await gateway.send(key, 'GET', '/v1/key')).status).toBe(401);
  });

  it('reach one person of one tenant', async () => {
    const key = await open();
    const { body } = await gateway.send<MemoryPage>(key, 'GET', '/v1/memories');
    expect(body.items.map(({ id }) => id)).toEqual([adaId]);
    const foreign = await Promise.all([
      gateway.send(key, 'GET', '/v1/memories?user_id=bea'),
      gateway.send(key, 'GET', `/v1/memories/${beaId}/why`),
      gateway.send(key, 'PATCH', `/v1/memories/${beaId}`, { body: { content: 'The user lives in Rome.' } }),
      gateway.send(key, 'DELETE', `/v1/memories/${beaId}`),
      gateway.send(key, 'GET', '/v1/users/bea/export'),
      gateway.send(key, 'DELETE', '/v1/users/bea'),
      gateway.send(key, 'PUT', '/v1/users/bea/context', { body: { insights: 'off' } }),
    ]);
    expect(foreign.map(({ status }) => status)).toEqual([403, 404, 404, 404, 403, 403, 403]);
    const other = await MemoryFixture.open(gateway, 'strangers');
    expect((await makeLink('ada', {}, other.key)).status).toBe(201);
    const stranger = (await exchange((await makeLink('ada', {}, other.key)).token)).body.key;
    expect((await gateway.send<MemoryPage>(stranger, 'GET', '/v1/memories')).body.items).toEqual([]);
  });

  const others = Object.entries<RouteDefinition>(routes).filter(
    ([name, { scopes }]) => scopes !== 'public' && !(PERSON_ROUTES as ReadonlySet<string>).has(name),
  );
  it.each(others)('reach no route but those of the page: %s', async (_name, { method, path }) => {
    const key = (shared ??= await open());
    const url = path.replace(/\{user_id\}/, 'ada').replace(/\{\w+\}/g, adaId);
    const { status, body } = await gateway.send(key, method, url, method === 'GET' ? {} : { body: {} });
    // Of the guard of persons, or of the scope; not of the binding, which others have, too.
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('forbidden_scope')]);
  });
  let shared: string | undefined;

  it('leave what is done with them in the history as the doing of the person', async () => {
    const key = await open();
    const body = { content: 'The user lives in Cambridge.' };
    const { body: changed } = await gateway.send<{ memory: Memory }>(key, 'PATCH', `/v1/memories/${adaId}`, { body });
    const pin = { pinned: true };
    const pinned = await gateway.send(key, 'PATCH', `/v1/memories/${changed.memory.id}`, { body: pin });
    expect(pinned.status).toBe(403);
    const path = `/v1/memories/${changed.memory.id}/history`;
    const { body: history } = await gateway.send<HistoryPage>(memories.key, 'GET', path);
    expect(history.items[0]).toMatchObject({ actor: 'person', content: 'The user lives in Cambridge.' });
  });

  it('are all revoked at once, with the pages that are open', async () => {
    const key = await open('cy');
    const { token } = await makeLink('cy');
    const answer = await gateway.send<PersonLinksRevoked>(memories.key, 'DELETE', '/v1/users/cy/links');
    expect([answer.status, answer.body]).toEqual([200, { revoked: 2 }]);
    expect((await exchange(token)).status).toBe(401);
    expect((await gateway.send(key, 'GET', '/v1/key')).status).toBe(401);
    expect((await gateway.send<PersonLinksRevoked>(memories.key, 'DELETE', '/v1/users/cy/links')).body).toEqual({
      revoked: 0,
    });
  });

  it('lead to the URL that is configured, whatever host a request names', async () => {
    const app = gateway.app.getHttpAdapter().getInstance();
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/users/ada/links',
      headers: { authorization: `Bearer ${memories.key}`, host: 'evil.example' },
      payload: {},
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'public_url_missing']);
    const configured = await startGateway({ env: { ANNALS_PUBLIC_URL: 'https://memory.example.com/annals/' } });
    const tenant = await MemoryFixture.open(configured, 'persons');
    const { body } = await configured.send<PersonLink>(tenant.key, 'POST', '/v1/users/ada/links', { body: {} });
    await configured.close();
    expect(body.url).toMatch(/^https:\/\/memory\.example\.com\/annals\/me\/#ann_/);
  });

  it('end with the page that somebody closes', async () => {
    const key = await open();
    expect((await gateway.send(key, 'DELETE', '/v1/key')).status).toBe(200);
    expect((await gateway.send(key, 'GET', '/v1/key')).status).toBe(401);
    expect((await gateway.send(memories.key, 'DELETE', '/v1/key')).status).toBe(404);
  });

  it('write nothing behind the erasure of the person', async () => {
    await memories.addMemory('eve', 'The user lives in Oslo.');
    const key = await open('eve');
    expect((await gateway.send(key, 'DELETE', '/v1/users/eve')).status).toBe(200);
    const body = { preferred_name: 'Eve' };
    expect((await gateway.send(key, 'PUT', '/v1/users/eve/context', { body })).status).toBe(401);
  });

  it('are made for a person who was stored before their id was refused, and all of the page works', async () => {
    const { key = '', id } = await tenants.createTenant({});
    const userId = 'ana.quillfeather@example.com';
    const { body: added } = await tenants.add(key, userId, 'The user likes tea.');
    await tenants.patchTenant(id, { personal_ids: 'refuse' });
    const own = (await exchange((await makeLink(userId, {}, key)).token)).body.key;
    const corrected = await gateway.send(own, 'PATCH', `/v1/memories/${added.memory.id}`, {
      body: { content: 'The user likes coffee.' },
    });
    expect(corrected.status).toBe(200);
    const path = `/v1/users/${userId}/context`;
    expect((await gateway.send(own, 'PUT', path, { body: { insights: 'off' } })).status).toBe(200);
    const stranger = await gateway.send(key, 'POST', '/v1/users/ben@example.com/links', { body: {} });
    expect([stranger.status, stranger.body.errors?.[0]?.path]).toEqual([400, 'params.user_id']);
  });

  it('are revoked by the id that the product sends, also when ids are hashed by now', async () => {
    const { key = '', id } = await tenants.createTenant({});
    const userId = 'ida.thistlewood@example.com';
    const { token } = await makeLink(userId, {}, key);
    await tenants.patchTenant(id, { personal_ids: 'hash' });
    const revoked = await gateway.send<PersonLinksRevoked>(key, 'DELETE', `/v1/users/${userId}/links`);
    expect(revoked.body).toEqual({ revoked: 1 });
    expect((await exchange(token)).status).toBe(401);
  });

  it('expire no later than the key that makes them', async () => {
    const expiresAt = clock.now() + 5 * MINUTE_MS;
    const maker = await gateway.makeKey({ tenantId: memories.tenantId, scopes: ['admin'], expiresAt });
    expect(Date.parse((await makeLink('ada', {}, maker)).body.expires_at)).toBe(expiresAt);
  });

  it('need the scope admin', async () => {
    const key = await gateway.makeKey({ tenantId: memories.tenantId, scopes: ['ingest', 'query'] });
    expect((await makeLink('ada', {}, key)).status).toBe(403);
  });

  it('are in no log, which says who made and opened them', async () => {
    const { token, body } = await makeLink();
    const key = (await exchange(token)).body.key;
    expect(gateway.logged('person_link_created')).toMatchObject([{ tenantId: memories.tenantId, keyId: body.id }]);
    expect(gateway.logged('person_link_opened')).toMatchObject([{ tenantId: memories.tenantId, byKeyId: body.id }]);
    expect(gateway.log.join('')).not.toContain(token);
    expect(gateway.log.join('')).not.toContain(key);
  });

  it('are shown once, also when the request is repeated', async () => {
    const headers = { 'idempotency-key': 'once' };
    const send = () => gateway.send<PersonLink>(memories.key, 'POST', '/v1/users/ada/links', { body: {}, headers });
    const [first, second] = [await send(), await send()];
    expect(first.body.url).toBeDefined();
    expect(second.body).toEqual({ id: first.body.id, expires_at: first.body.expires_at });
  });
});
