import type { ApiKeyCreated } from '@annals/contracts';
import { findApiKey, hashApiKey } from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('log events of API keys', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let admin: string;
  let byKeyId: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('keys');
    admin = await gateway.makeKey({ tenantId });
    byKeyId = (await findApiKey(gateway.database, hashApiKey(admin)))!.keyId;
  });
  beforeEach(() => void (gateway.log.length = 0));
  afterAll(() => gateway.close());

  const create = (headers: Record<string, string> = {}) =>
    gateway.send<ApiKeyCreated>(admin, 'POST', '/v1/admin/keys', {
      body: { name: 'chat', scopes: ['query'] },
      headers,
    });

  it('name the creator of a key, once however often the request is repeated', async () => {
    const { body: made } = await create({ 'idempotency-key': 'once' });
    await create({ 'idempotency-key': 'once' });
    expect(gateway.logged('key_created')).toEqual([{ tenantId, keyId: made.id, byKeyId }]);
    expect(gateway.log.join('')).not.toContain(made.key);
  });

  it('name who revoked a key, and only when it was not revoked before', async () => {
    const { body: made } = await create();
    const revoke = (headers: Record<string, string> = {}) =>
      gateway.send(admin, 'DELETE', `/v1/admin/keys/${made.id}`, { headers });
    const first = await revoke({ 'idempotency-key': 'gone' });
    await revoke({ 'idempotency-key': 'gone' });
    expect((await revoke()).body).toEqual(first.body);
    expect(gateway.logged('key_revoked')).toEqual([{ tenantId, keyId: made.id, byKeyId }]);
  });
});
