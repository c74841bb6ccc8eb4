import type {
  ApiKeyCreated,
  ConversationAccepted,
  MemoryWritten,
  TenantCreated,
  TenantDeleted,
} from '@annals/contracts';
import { createIdempotencyJob } from '@annals/runtime';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('Idempotency-Key', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('repeats');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const withKey = (idempotencyKey: string, body?: unknown) => ({
    headers: { 'idempotency-key': idempotencyKey },
    ...(body === undefined ? {} : { body }),
  });
  const talk = (content: string) => ({ user_id: 'u', messages: [{ role: 'user', content }] });
  const post = (idempotencyKey: string, body: unknown) =>
    gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', withKey(idempotencyKey, body));

  it('answers a repetition with the stored status, body and headers, and changes nothing', async () => {
    const first = await post('k1', talk('Once.'));
    const again = await post('k1', talk('Once.'));
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
  });

  it('refuses the key with another body', async () => {
    await post('k2', talk('One.'));
    const answer = await gateway.send(key, 'POST', '/v1/conversations', withKey('k2', talk('Two.')));
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  it('refuses the key with another path', async () => {
    const memory = async (content: string) =>
      (
        await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
          body: { user_id: 'u', content, category: 'tasks' },
        })
      ).body.memory.id;
    const [one, two] = [await memory('Buy tea.'), await memory('Buy milk.')];
    expect((await gateway.send(key, 'DELETE', `/v1/memories/${one}`, withKey('k3'))).status).toBe(200);
    expect((await gateway.send(key, 'DELETE', `/v1/memories/${two}`, withKey('k3'))).status).toBe(409);
  });

  it('takes effect once for ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('race', talk('Race.'))));
    const stored = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query(`SELECT 1 FROM messages WHERE content = 'Race.'`),
    );
    expect(stored).toHaveLength(1);
    const accepted = answers.filter(({ status }) => status === 202);
    expect(new Set(accepted.map(({ body }) => body.conversation_id)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 202);
    expect(others.every(({ status }) => status === 409)).toBe(true);
    const fresh = accepted.filter(({ headers }) => !headers.has('idempotency-replayed'));
    expect(fresh).toHaveLength(1);
  });

  it('stores nothing of a failed request', async () => {
    const id = { id: 'm1' };
    const talkAs = (content: string) => ({
      user_id: 'f',
      thread_id: 't',
      messages: [{ role: 'user', content, ...id }],
    });
    await post('k4', talkAs('First.'));
    expect((await post('k5', talkAs('Second.'))).status).toBe(409);
    const stored = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query(`SELECT 1 FROM idempotency_keys WHERE key = 'k5'`),
    );
    expect(stored).toHaveLength(0);
  });

  it.each(['', 'ä', 'x'.repeat(201)])(
    'refuses key %#, which is not 1 to 200 printable ASCII characters',
    async (text) => {
      const headers = { 'idempotency-key': Buffer.from(text, 'utf8').toString('latin1') };
      const answer = await gateway.send(key, 'POST', '/v1/conversations', { body: talk('x'), headers });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'headers.idempotency-key' }] } });
    },
  );

  it('does not replay a response to a key with other bindings', async () => {
    const { body } = await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', {
      body: talk('Mine.'),
    });
    const path = `/v1/conversations/${body.conversation_id}/end`;
    expect((await gateway.send(key, 'POST', path, withKey('k6'))).status).toBe(200);
    const bound = await gateway.makeKey({ tenantId, userId: 'somebody-else' });
    expect((await gateway.send(bound, 'POST', path, withKey('k6'))).status).toBe(409);
  });

  it('never stores the text of a created key', async () => {
    const sent = withKey('k7', { name: 'chat', scopes: ['query'] });
    const made = await gateway.send<ApiKeyCreated>(key, 'POST', '/v1/admin/keys', sent);
    const again = await gateway.send<ApiKeyCreated>(key, 'POST', '/v1/admin/keys', sent);
    const { key: text, ...rest } = made.body;
    expect(text).toMatch(/^ann_/);
    expect(again).toMatchObject({ status: 201, body: rest });
    expect(again.body.key).toBeUndefined();
    const stored = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query<{ response: unknown }>(`SELECT response FROM idempotency_keys WHERE key = 'k7'`),
    );
    expect(JSON.stringify(stored)).not.toContain(text);
  });

  it('deletes a stored response after a day, and not before', async () => {
    await post('old', talk('Yesterday.'));
    await post('young', talk('Today.'));
    await gateway.database.inTenant(tenantId, (tx) =>
      tx.execute(`DELETE FROM idempotency_keys WHERE key = 'old'`).then(() =>
        tx.execute(
          `INSERT INTO idempotency_keys (route, key, request_hmac, status, response, created_at)
           SELECT route, 'old', request_hmac, status, response, $1 FROM idempotency_keys WHERE key = 'young'`,
          [new Date(gateway.infrastructure.clock.now() - DAY_MS - 1_000)],
        ),
      ),
    );
    const { clock } = gateway.infrastructure;
    const run = { database: gateway.database, clock, signal: new AbortController().signal, cursor: null, budgetMs: 0 };
    expect(await createIdempotencyJob().run(run)).toEqual({ done: 1, cursor: null });
    expect((await post('young', talk('Today.'))).headers.get('idempotency-replayed')).toBe('true');
    expect((await post('old', talk('Anything else.'))).status).toBe(202);
  });

  it('ends the answers of a forgotten conversation: its posts are neither answered nor stored again', async () => {
    const body = { ...talk('Forget me.'), thread_id: 'to-forget' };
    const first = await post('gone', body);
    const { conversation_id: id } = first.body;
    expect((await gateway.send(key, 'DELETE', `/v1/conversations/${id}`)).status).toBe(200);
    const again = await gateway.send(key, 'POST', '/v1/conversations', withKey('gone', body));
    expect(again).toMatchObject({ status: 410, body: { code: 'conversation_forgotten' } });
    for (const trace of [id, ...first.body.batch_ids, 'to-forget'])
      expect(JSON.stringify(again.body)).not.toContain(trace);
    const other = await gateway.send(key, 'POST', '/v1/conversations', withKey('gone', talk('Other words.')));
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    // A new key is a new request.
    const anew = await post('anew', body);
    expect(anew.status).toBe(202);
    expect(anew.body.conversation_id).not.toBe(id);
  });

  it('creates a tenant once, and deletes one once with the same receipt', async () => {
    const operator = await gateway.makeOperatorKey();
    const create = (idempotencyKey: string, name: string) =>
      gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', withKey(idempotencyKey, { name }));
    const made = await create('t1', 'acme');
    expect(made.status).toBe(201);
    expect((await gateway.send(made.body.key!, 'GET', '/v1/memories')).status).toBe(200);
    const again = await create('t1', 'acme');
    expect(again).toMatchObject({ status: 201, body: { id: made.body.id, name: 'acme' } });
    expect(again.body.key).toBeUndefined();
    expect(await create('t1', 'other')).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(await create('t2', 'acme')).toMatchObject({ status: 409, body: { code: 'tenant_exists' } });
    expect(await gateway.send(operator, 'POST', '/v1/operator/tenants', { body: { name: 'acme' } })).toMatchObject({
      status: 409,
      body: { code: 'tenant_exists' },
    });
    const remove = () =>
      gateway.send<TenantDeleted>(operator, 'DELETE', `/v1/operator/tenants/${made.body.id}`, withKey('t3'));
    const removed = await remove();
    expect(removed).toMatchObject({ status: 200, body: { id: made.body.id, deleted: { tenants: 1, api_keys: 1 } } });
    expect((await remove()).body).toEqual(removed.body);
    expect((await gateway.send(made.body.key!, 'GET', '/v1/memories')).status).toBe(401);
  });

  it('completes a tenant whose creation stopped before its first key', async () => {
    const operator = await gateway.makeOperatorKey();
    const failing = vi.spyOn(gateway.database, 'inTenant').mockRejectedValueOnce(new Error('killed here'));
    const create = () =>
      gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', withKey('t4', { name: 'halfway' }));
    expect((await create()).status).toBe(500);
    failing.mockRestore();
    const made = await create();
    expect(made.status).toBe(201);
    expect((await gateway.send(made.body.key!, 'GET', '/v1/memories')).status).toBe(200);
  });
});
