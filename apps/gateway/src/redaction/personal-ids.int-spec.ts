import type { ApiKey, ApiKeyPage, EventPage } from '@annals/contracts';
import { waitUntil } from '@annals/testing';
import { findTablesContaining } from '../fixtures/find-tables-containing.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { TenantSettingsFixture } from '../fixtures/tenant-settings.fixture.js';

describe('personal ids', () => {
  let gateway: TestGateway;
  let operator: string;
  let fixture: TenantSettingsFixture;
  beforeAll(async () => {
    gateway = await startGateway();
    fixture = await TenantSettingsFixture.open(gateway);
    ({ operator } = fixture);
  });
  afterAll(() => gateway.close());

  const user_id = 'ana.quillfeather@example.com';
  const add = (userId: string, content: string, by: string | undefined) => fixture.add(by!, userId, content);
  const queryMemory = (body: object, by: string | undefined) => fixture.queryMemory(by!, body);
  const list = (query: string, by: string | undefined) => fixture.list(by!, query);
  const createTenant = (settings: object) => fixture.createTenant(settings);
  const patchTenant = (id: string, body: object) => fixture.patchTenant(id, body);

  it('are stored as sent by default', async () => {
    const { id, key } = await createTenant({});
    const { body } = await add(user_id, 'The user likes tea.', key);
    expect(body.memory.user_id).toBe(user_id);
    expect(await findTablesContaining(gateway, 'quillfeather')).toContain('memories');
    await gateway.send(operator, 'DELETE', `/v1/operator/tenants/${id}`);
  });

  it('are hashed on every route with `hash`, so that the same id finds the same memories', async () => {
    const { key: owner } = await createTenant({ personal_ids: 'hash' });
    const { body } = await add(user_id, 'The user likes tea.', owner);
    expect(body.memory.user_id).toMatch(/^id-[0-9a-f]{32}$/);
    await gateway.send(owner!, 'POST', '/v1/conversations', {
      body: {
        user_id,
        thread_id: '+14155552671',
        messages: [{ id: `m-${user_id}`, actor_id: user_id, role: 'user', content: 'I like green tea.' }],
      },
      headers: { 'idempotency-key': `post of ${user_id}` },
    });
    expect(await list(`user_id=${user_id}`, owner)).toHaveLength(1);
    expect(await list(`user_id=${body.memory.user_id}`, owner)).toHaveLength(1);
    const asked = await queryMemory({ query: 'green tea', filters: { user_id, actor_id: user_id } }, owner);
    expect(asked.memories).toMatchObject([{ type: 'turn' }]);
    expect(await findTablesContaining(gateway, 'quillfeather')).toEqual([]);
    expect(await findTablesContaining(gateway, '4155552671')).toEqual([]);
    expect((await gateway.send(owner!, 'DELETE', `/v1/users/${user_id}`)).status).toBe(200);
    expect(await list(`user_id=${user_id}`, owner)).toEqual([]);
  });

  it('are what a key is bound to, whether it is older than the setting or not', async () => {
    const { id, key: owner } = await createTenant({});
    const older = await gateway.makeKey({ tenantId: id, userId: user_id });
    await patchTenant(id, { personal_ids: 'hash' });
    const { body: newer } = await gateway.send<ApiKey & { key: string }>(owner!, 'POST', '/v1/admin/keys', {
      body: { name: 'bound', scopes: ['ingest', 'query'], user_id },
    });
    for (const by of [older, newer.key]) {
      expect((await add(user_id, 'The user likes tea.', by)).status).toBeLessThan(300);
      expect((await queryMemory({ query: 'tea', filters: { user_id } }, by)).memories).toHaveLength(1);
      expect((await add('ben@example.com', 'The user likes tea.', by)).status).toBe(403);
    }
  });

  it.each([
    ['hashed', 'US', 'DE'],
    ['plain', 'DE', 'US'],
  ])('stay %s for a user who is known so, when the country changes from %s to %s', async (form, before, after) => {
    const { key: owner, id } = await createTenant({ personal_ids: 'hash', default_country: before });
    const [known, other] = ['(415) 555-2671', '(415) 555-2672'];
    const byKey = await gateway.makeKey({ tenantId: id, userId: known });
    const { body: first } = await add(known, 'The user likes tea.', owner);
    const isHashed = (userId: string | null) => /^id-[0-9a-f]{32}$/.test(userId!);
    expect(isHashed(first.memory.user_id)).toBe(form === 'hashed');
    await patchTenant(id, { default_country: after });
    for (const by of [owner, byKey]) {
      expect(await list(`user_id=${encodeURIComponent(known)}`, by)).toMatchObject([{ id: first.memory.id }]);
      expect((await queryMemory({ query: 'tea', filters: { user_id: known } }, by)).memories).toHaveLength(1);
    }
    // Who speaks is still the user, and others follow the present country.
    await gateway.send(byKey, 'POST', '/v1/conversations', {
      body: { user_id: known, messages: [{ actor_id: known, role: 'user', content: 'I like coffee.' }] },
    });
    const spoken = await queryMemory({ query: 'coffee', filters: { user_id: known, actor_id: known } }, owner);
    expect(spoken.memories).toMatchObject([{ type: 'turn' }]);
    expect(isHashed((await add(other, 'The user likes tea.', owner)).body.memory.user_id)).toBe(form !== 'hashed');

    const path = `/v1/users/${encodeURIComponent(known)}`;
    expect(await gateway.send(owner!, 'DELETE', path)).toMatchObject({
      status: 200,
      body: { user_id: first.memory.user_id, counts: { memories: 1 } },
    });
    const { body: again } = await add(known, 'The user likes tea.', owner);
    expect(isHashed(again.memory.user_id)).toBe(form !== 'hashed');
  });

  it('are in no event of a refusal with `hash`', async () => {
    const { key: owner, id } = await createTenant({ personal_ids: 'hash' });
    const plain = 'ida.thistlewood@example.com';
    const { body } = await gateway.send<ApiKey & { key: string }>(owner!, 'POST', '/v1/admin/keys', {
      body: { name: 'bound', scopes: ['query'], user_id: plain },
    });
    const older = await gateway.makeKey({ tenantId: id, userId: plain, scopes: ['query'] });
    for (const by of [body.key, older]) {
      expect((await add(plain, 'The user likes tea.', by)).status).toBe(403);
      expect((await gateway.send(by, 'GET', '/v1/admin/keys')).status).toBe(403);
    }
    const refusals = async () =>
      (await gateway.send<EventPage>(owner!, 'GET', '/v1/events?node=gateway&op=refuse')).body.items;
    await waitUntil(async () => (await refusals()).length === 4, { describe: 'the refusals are written' });
    expect(new Set((await refusals()).map((event) => event.user_id))).toEqual(new Set([body.user_id]));
    // The older key itself was stored before.
    expect(await findTablesContaining(gateway, 'thistlewood')).toEqual(['api_keys']);
    expect((await gateway.send(owner!, 'DELETE', `/v1/users/${plain}`)).status).toBe(200);
    expect(await findTablesContaining(gateway, 'thistlewood')).toEqual([]);
    const { items } = (await gateway.send<ApiKeyPage>(owner!, 'GET', '/v1/admin/keys')).body;
    const bound = items.filter((key) => key.user_id !== null);
    expect(bound).toHaveLength(2);
    expect(bound.filter((key) => key.revoked_at === null)).toEqual([]);
  });

  it('are refused with `refuse` where one would be stored, and can be read and erased', async () => {
    const { id, key: owner } = await createTenant({});
    await add(user_id, 'The user likes tea.', owner);
    await patchTenant(id, { personal_ids: 'refuse' });
    const refused = await add(user_id, 'The user likes coffee.', owner);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'body.user_id' }] } });
    expect(JSON.stringify(refused.body)).not.toContain(user_id);
    expect(await list(`user_id=${user_id}`, owner)).toHaveLength(1);
    const erase = () =>
      gateway.send(owner!, 'DELETE', `/v1/users/${user_id}`, { headers: { 'idempotency-key': `erase ${user_id}` } });
    expect((await erase()).status).toBe(200);
    expect((await erase()).headers.get('idempotency-replayed')).toBe('true');
    expect(await findTablesContaining(gateway, `erase ${user_id}`)).toEqual([]);
  });
});
