import type { ApiKey, MemoryPage, MemoryQueryAnswer, MemoryWritten, TenantCreated } from '@annals/contracts';
import { findTablesContaining } from '../fixtures/find-tables-containing.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('personal ids', () => {
  let gateway: TestGateway;
  let operator: string;
  let names = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    operator = await gateway.makeOperatorKey();
  });
  afterAll(() => gateway.close());

  const user_id = 'ana.quillfeather@example.com';
  const add = (userId: string, content: string, by: string | undefined) =>
    gateway.send<MemoryWritten>(by!, 'POST', '/v1/memories', {
      body: { user_id: userId, content, category: 'preferences' },
    });
  const queryMemory = async (body: object, by: string | undefined) =>
    (await gateway.send<MemoryQueryAnswer>(by!, 'POST', '/v1/memory/query', { body })).body;
  const list = async (query: string, by: string | undefined) =>
    (await gateway.send<MemoryPage>(by!, 'GET', `/v1/memories?${query}`)).body.items;
  const createTenant = async (settings: object) => {
    const sent = { body: { name: `ids-${++names}`, ...settings } };
    return (await gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', sent)).body;
  };
  const patchTenant = (id: string, body: object) =>
    gateway.send(operator, 'PATCH', `/v1/operator/tenants/${id}`, { body });

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

  it('are refused with `refuse` where one would be stored, and can be read and erased', async () => {
    const { id, key: owner } = await createTenant({});
    await add(user_id, 'The user likes tea.', owner);
    await patchTenant(id, { personal_ids: 'refuse' });
    const refused = await add(user_id, 'The user likes coffee.', owner);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'body.user_id' }] } });
    expect(JSON.stringify(refused.body)).not.toContain(user_id);
    expect(await list(`user_id=${user_id}`, owner)).toHaveLength(1);
    expect((await gateway.send(owner!, 'DELETE', `/v1/users/${user_id}`)).status).toBe(200);
  });
});
