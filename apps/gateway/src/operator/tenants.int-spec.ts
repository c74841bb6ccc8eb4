import type { ApiKeyCreated, ApiKeyPage, TenantCreated, TenantDeleted } from '@annals/contracts';
import { findApiKey, hashApiKey } from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const NOBODY = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e';

describe('tenants that an operator manages', () => {
  let gateway: TestGateway;
  let operator: string;
  let byKeyId: string;
  let tenants = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    operator = await gateway.makeOperatorKey();
    byKeyId = (await findApiKey(gateway.database, hashApiKey(operator)))!.keyId;
  });
  beforeEach(() => void (gateway.log.length = 0));
  afterAll(() => gateway.close());

  const under = (key: string | undefined) => (key === undefined ? {} : { headers: { 'idempotency-key': key } });
  const makeTenant = (key?: string, name = `acme-${++tenants}`) =>
    gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', { body: { name }, ...under(key) });
  const makeKey = (tenantId: string, key?: string) =>
    gateway.send<ApiKeyCreated>(operator, 'POST', `/v1/operator/tenants/${tenantId}/keys`, {
      body: { name: 'found again' },
      ...under(key),
    });

  it('are logged when they are created, once and with the operator’s key id', async () => {
    const { body: tenant } = await makeTenant('made', 'made-once');
    await makeTenant('made', 'made-once');
    expect((await makeTenant(undefined, 'made-once')).status).toBe(409);
    const { keyId } = (await findApiKey(gateway.database, hashApiKey(tenant.key!)))!;
    expect(gateway.logged('tenant_created')).toEqual([{ tenantId: tenant.id, byKeyId }]);
    expect(gateway.logged('key_created')).toEqual([{ tenantId: tenant.id, keyId, byKeyId }]);
  });

  it('are logged when they are deleted, once and with the number of rows', async () => {
    const { body: tenant } = await makeTenant();
    const remove = () =>
      gateway.send<TenantDeleted>(operator, 'DELETE', `/v1/operator/tenants/${tenant.id}`, under('delete'));
    const { deleted } = (await remove()).body;
    await remove();
    expect((await gateway.send(operator, 'DELETE', `/v1/operator/tenants/${NOBODY}`)).status).toBe(404);
    const rows = Object.values(deleted).reduce((all, count) => all + count, 0);
    expect(rows).toBeGreaterThan(1);
    expect(gateway.logged('tenant_deleted')).toEqual([{ tenantId: tenant.id, byKeyId, rows }]);
  });

  it('get a new key with all scopes when their own are lost, which they can list and revoke', async () => {
    const { body: tenant } = await makeTenant();
    const made = await makeKey(tenant.id);
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'found again', scopes: ['ingest', 'query', 'admin'], user_id: null, expires_at: null },
    });
    const { items } = (await gateway.send<ApiKeyPage>(made.body.key!, 'GET', '/v1/admin/keys')).body;
    expect(items.map(({ name }) => name)).toEqual(['found again', 'first']);
    expect((await gateway.send(tenant.key!, 'DELETE', `/v1/admin/keys/${made.body.id}`)).status).toBe(200);
    expect((await gateway.send(made.body.key!, 'GET', '/v1/admin/keys')).status).toBe(401);
    expect(gateway.logged('key_created')).toContainEqual({ tenantId: tenant.id, keyId: made.body.id, byKeyId });
  });

  it('get one key for a repeated request, whose text only the first response contains', async () => {
    const { body: tenant } = await makeTenant();
    gateway.log.length = 0;
    const { body: first } = await makeKey(tenant.id, 'once');
    const { key: text, ...rest } = first;
    expect(await makeKey(tenant.id, 'once')).toMatchObject({ status: 201, body: rest });
    expect((await makeKey(tenant.id, 'once')).body).not.toHaveProperty('key');
    const stored = await gateway.database.inTenant(tenant.id, (tx) =>
      tx.query('SELECT response FROM idempotency_keys'),
    );
    expect(JSON.stringify(stored)).not.toContain(text);
    expect(gateway.logged('key_created')).toHaveLength(1);
  });

  it('get no key from another tenant, nor when they do not exist', async () => {
    const { body: tenant } = await makeTenant();
    const path = `/v1/operator/tenants/${tenant.id}/keys`;
    const body = { name: 'mine' };
    expect((await gateway.send(tenant.key!, 'POST', path, { body })).body.code).toBe('forbidden_scope');
    expect((await gateway.send(operator, 'POST', path, { body: {} })).status).toBe(400);
    for (const key of [undefined, 'nobody']) {
      expect(await makeKey(NOBODY, key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(gateway.logged('key_created')).toHaveLength(1);
  });
});
