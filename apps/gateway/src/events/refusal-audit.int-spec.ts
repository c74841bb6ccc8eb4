import type { EventPage } from '@annals/contracts';
import { findApiKey, hashApiKey } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('the audit of refused requests', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let admin: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('refusals');
    admin = await gateway.makeKey({ tenantId });
  });
  beforeEach(() => void (gateway.log.length = 0));
  afterAll(() => gateway.close());

  const keyIdOf = async (text: string) => (await findApiKey(gateway.database, hashApiKey(text)))!.keyId;
  const listRefusals = async () =>
    (await gateway.send<EventPage>(admin, 'GET', '/v1/events?node=gateway&op=refuse')).body.items;

  it('logs wrong keys with reason and address, and never the key', async () => {
    const wrong = 'ann_wrong-key-of-somebody';
    const headers = { 'x-request-id': 'request-of-spec' };
    expect((await gateway.send(wrong, 'GET', '/v1/memories?user_id=ada', { headers })).status).toBe(401);
    expect((await gateway.send(null, 'DELETE', '/v1/users/ada')).status).toBe(401);
    const from = { address: '127.0.0.1' };
    expect(gateway.logged('authentication_failed')).toEqual([
      { reason: 'unknown', ...from, method: 'GET', route: '/v1/memories' },
      { reason: 'missing', ...from, method: 'DELETE', route: '/v1/users/{user_id}' },
    ]);
    const lines = gateway.log.join('');
    expect(lines).toContain('request-of-spec');
    for (const secret of [wrong, 'ada']) expect(lines).not.toContain(secret);
  });

  it('records an expired key in the log and among the events of its tenant', async () => {
    const expired = await gateway.makeKey({ tenantId, expiresAt: 1 });
    const before = (await listRefusals()).length;
    expect((await gateway.send(expired, 'GET', '/v1/memories')).status).toBe(401);
    expect(gateway.logged('authentication_failed')).toMatchObject([
      { reason: 'expired', tenantId, keyId: await keyIdOf(expired) },
    ]);
    await waitUntil(async () => (await listRefusals()).length > before, { describe: 'the event is written' });
  });

  it('logs which key was refused where, without what it asked for', async () => {
    const bound = await gateway.makeKey({ tenantId, userId: 'ada' });
    const byKeyId = await keyIdOf(bound);
    await gateway.send(bound, 'PUT', '/v1/admin/budgets', { body: { daily_limit_micro_usd: 1 } });
    await gateway.send(bound, 'GET', '/v1/memories?user_id=zanzibar');
    expect(gateway.logged('request_forbidden')).toEqual([
      { code: 'forbidden_user', tenantId, byKeyId, method: 'PUT', route: '/v1/admin/budgets' },
      { code: 'forbidden_user', tenantId, byKeyId, method: 'GET', route: '/v1/memories' },
    ]);
    expect(gateway.log.join('')).not.toContain('zanzibar');
  });
});
