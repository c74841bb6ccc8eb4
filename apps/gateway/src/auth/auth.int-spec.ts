import type { ApiKey, ApiKeyCreated, ConversationAccepted, Memory, MemoryPage, MemoryWritten } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { FAILED_ATTEMPTS_PER_MINUTE } from './request-limits.js';

describe('authentication and bindings of keys', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let admin: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('keys');
    admin = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const talk = (user_id: string, rest = {}) => ({
    body: { user_id, messages: [{ role: 'user', content: 'x' }], ...rest },
  });
  const query = (user_id: string, rest = {}) => ({ body: { query: 'tea', filters: { user_id }, ...rest } });
  const addMemory = (key: string, body: object) => gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body });

  it('refuses an unknown, a malformed and an expired key', async () => {
    const expired = await gateway.makeKey({ tenantId, expiresAt: 1 });
    for (const key of ['ann_unknown', 'two words', expired]) {
      expect((await gateway.send(key, 'GET', '/v1/memories')).status).toBe(401);
    }
    const basic = await gateway.send(null, 'GET', '/v1/memories', { headers: { authorization: 'Basic abc' } });
    expect(basic.status).toBe(401);
  });

  it('names the missing scope', async () => {
    const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
    const refused = await gateway.send(reader, 'POST', '/v1/conversations', talk('u'));
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } });
    expect(refused.body.detail).toContain('ingest');
    const writer = await gateway.makeKey({ tenantId, scopes: ['ingest'] });
    expect((await gateway.send(writer, 'POST', '/v1/memory/query', query('u'))).body.detail).toContain('query');
    expect((await gateway.send(writer, 'GET', '/v1/admin/keys')).body.detail).toContain('admin');
  });

  it('separates operators’ keys from tenants’ keys', async () => {
    const operator = await gateway.makeOperatorKey();
    expect((await gateway.send(operator, 'GET', '/v1/operator/tenants')).status).toBe(200);
    for (const [method, path] of [
      ['GET', '/v1/memories'],
      ['GET', '/v1/admin/keys'],
    ] as const) {
      expect(await gateway.send(operator, method, path)).toMatchObject({
        status: 403,
        body: { code: 'forbidden_scope' },
      });
    }
    expect(await gateway.send(admin, 'GET', '/v1/operator/tenants')).toMatchObject({ status: 403 });
  });

  it('creates, lists and revokes keys; a revoked one is refused immediately', async () => {
    const made = await gateway.send<ApiKeyCreated>(admin, 'POST', '/v1/admin/keys', {
      body: { name: 'chat', scopes: ['query'] },
    });
    expect(made.status).toBe(201);
    const text = made.body.key!;
    expect(text).toMatch(/^ann_[\w-]{43}$/);
    expect(text.startsWith(made.body.prefix)).toBe(true);
    expect((await gateway.send(text, 'GET', '/v1/memories')).status).toBe(200);
    const listed = await gateway.send<{ items: ApiKey[] }>(admin, 'GET', '/v1/admin/keys');
    expect(listed.body.items.map(({ id }) => id)).toContain(made.body.id);
    expect(JSON.stringify(listed.body)).not.toContain(text);
    const revoked = await gateway.send<ApiKey>(admin, 'DELETE', `/v1/admin/keys/${made.body.id}`);
    expect(revoked.body.revoked_at).not.toBeNull();
    expect((await gateway.send(text, 'GET', '/v1/memories')).status).toBe(401);
    expect(gateway.log.join('')).not.toContain(text);
  });

  it('lets no bound key create, list or revoke a key, and creates no bound admin', async () => {
    const target = await gateway.send<ApiKeyCreated>(admin, 'POST', '/v1/admin/keys', {
      body: { name: 'k', scopes: ['query'] },
    });
    for (const [binding, code] of [
      [{ userId: 'u1' }, 'forbidden_user'],
      [{ agentId: 'stylist' }, 'forbidden_agent'],
      [{ categories: ['tasks'] }, 'forbidden_category'],
    ] as const) {
      const bound = await gateway.makeKey({ tenantId, ...binding });
      const refused = { status: 403, body: { code } };
      // Unbound, as its creator is, or more: none of them gives the creator more than it has.
      for (const rest of [{}, { user_id: 'u1', agent_id: 'stylist', categories: ['tasks'] }]) {
        const body = { name: 'k', scopes: ['query'], ...rest };
        expect(await gateway.send(bound, 'POST', '/v1/admin/keys', { body })).toMatchObject(refused);
      }
      expect(await gateway.send(bound, 'GET', '/v1/admin/keys')).toMatchObject(refused);
      expect(await gateway.send(bound, 'DELETE', `/v1/admin/keys/${target.body.id}`)).toMatchObject(refused);
    }
    expect((await gateway.send(target.body.key!, 'GET', '/v1/memories')).status).toBe(200);
    for (const rest of [{ user_id: 'u1' }, { agent_id: 'stylist' }, { categories: ['tasks'] }]) {
      const body = { name: 'k', scopes: ['admin'], ...rest };
      expect(await gateway.send(admin, 'POST', '/v1/admin/keys', { body })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ path: 'body.scopes' }] },
      });
    }
  });

  it('restricts a user-bound key to its user on every route', async () => {
    const bound = await gateway.makeKey({ tenantId, userId: 'ann' });
    const theirs = await addMemory(admin, { user_id: 'bob', content: 'Bob likes rain.', category: 'preferences' });
    const own = await addMemory(bound, { user_id: 'ann', content: 'Ann likes sun.', category: 'preferences' });
    expect(own.status).toBe(201);
    const { id } = theirs.body.memory;
    for (const [method, path, field, sent] of [
      ['POST', '/v1/conversations', 'body.user_id', talk('bob')],
      ['POST', '/v1/memory/query', 'body.filters.user_id', query('bob')],
      ['GET', '/v1/memories?user_id=bob', 'query.user_id', {}],
      ['GET', '/v1/quarantine?user_id=bob', 'query.user_id', {}],
      ['GET', '/v1/events?user_id=bob', 'query.user_id', {}],
      ['GET', '/v1/threads/t/delta?user_id=bob', 'query.user_id', {}],
      ['GET', '/v1/users/bob/context', 'params.user_id', {}],
      ['GET', '/v1/checkpoints/bob/t', 'params.user_id', {}],
      ['DELETE', '/v1/users/bob', 'params.user_id', {}],
      ['POST', '/v1/memories', 'body.user_id', { body: { user_id: 'bob', content: 'x', category: 'preferences' } }],
    ] as const) {
      expect(await gateway.send(bound, method, path, sent)).toMatchObject({
        status: 403,
        body: { code: 'forbidden_user', errors: [{ path: field }] },
      });
    }
    for (const [method, path, sent] of [
      ['GET', `/v1/memories/${id}`, {}],
      ['GET', `/v1/memories/${id}/history`, {}],
      ['PATCH', `/v1/memories/${id}`, { body: { pinned: true } }],
      ['DELETE', `/v1/memories/${id}`, {}],
      ['POST', `/v1/memories/${id}/restore`, {}],
    ] as const) {
      expect((await gateway.send(bound, method, path, sent)).status).toBe(404);
    }
    const listed = await gateway.send<MemoryPage>(bound, 'GET', '/v1/memories');
    expect(listed.body.items.map(({ user_id }) => user_id)).toEqual(['ann']);
    const foreign = await gateway.send<ConversationAccepted>(admin, 'POST', '/v1/conversations', talk('bob'));
    for (const path of [`/v1/conversations/${foreign.body.conversation_id}`, foreign.body.status_url!]) {
      expect((await gateway.send(bound, 'GET', path)).status).toBe(404);
    }
  });

  it('restricts a category-bound key to its categories', async () => {
    const bound = await gateway.makeKey({ tenantId, categories: ['tasks'] });
    const hidden = await addMemory(admin, { user_id: 'cat', content: 'Cat hates dogs.', category: 'preferences' });
    await addMemory(admin, { user_id: 'cat', content: 'Cat must buy tea.', category: 'tasks' });
    const listed = await gateway.send<MemoryPage>(bound, 'GET', '/v1/memories?user_id=cat');
    expect(listed.body.items.map(({ category }) => category)).toEqual(['tasks']);
    expect((await gateway.send<Memory>(bound, 'GET', `/v1/memories/${hidden.body.memory.id}`)).status).toBe(404);
    for (const [method, path, sent] of [
      ['GET', '/v1/memories?category=preferences', {}],
      ['POST', '/v1/memory/query', query('cat', { categories: ['preferences'] })],
      ['POST', '/v1/memories', { body: { user_id: 'cat', content: 'x', category: 'preferences' } }],
      ['POST', '/v1/conversations', talk('cat')],
    ] as const) {
      expect(await gateway.send(bound, method, path, sent)).toMatchObject({
        status: 403,
        body: { code: 'forbidden_category' },
      });
    }
    const answer = await gateway.send<{ memories: { category: string }[] }>(
      bound,
      'POST',
      '/v1/memory/query',
      query('cat'),
    );
    expect(answer.body.memories.map(({ category }) => category)).toEqual(['tasks']);
  });

  it('does not return a memory of another category to a key that writes the same content', async () => {
    const bound = await gateway.makeKey({ tenantId, categories: ['tasks'] });
    const addContent = (key: string, content: string, category: string, rest = {}) =>
      addMemory(key, { user_id: 'eve', content, category, ...rest });
    const hidden = await addContent(admin, 'Eve fears snakes.', 'preferences');
    const own = await addContent(bound, 'Eve must buy milk.', 'tasks');
    const path = `/v1/memories/${hidden.body.memory.id}`;
    const refused = { status: 403, body: { code: 'forbidden_category' } };
    expect(await addContent(bound, 'eve fears snakes', 'tasks', { pinned: true })).toMatchObject(refused);
    const patch = { body: { content: 'Eve fears snakes.' } };
    expect(await gateway.send(bound, 'PATCH', `/v1/memories/${own.body.memory.id}`, patch)).toMatchObject(refused);
    expect((await gateway.send<Memory>(admin, 'GET', path)).body).toEqual(hidden.body.memory);
    expect((await gateway.send<Memory>(admin, 'GET', `/v1/memories/${own.body.memory.id}`)).body).toMatchObject({
      superseded_by: null,
    });
  });

  it('does not let a key undo what ended a memory in one of its categories by one in another', async () => {
    const bound = await gateway.makeKey({ tenantId, categories: ['tasks'] });
    const body = { user_id: 'kim', content: 'Kim must feed the cat.', category: 'tasks' };
    const { id } = (await addMemory(admin, body)).body.memory;
    const moved = await gateway.send<MemoryWritten>(admin, 'PATCH', `/v1/memories/${id}`, {
      body: { content: 'Kim has a cat.', category: 'profile' },
    });
    const path = `/v1/memories/${moved.body.memory.id}`;
    expect(await gateway.send(bound, 'POST', `/v1/memories/${id}/undo`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_category' },
    });
    expect((await gateway.send<Memory>(admin, 'GET', path)).body).toEqual(moved.body.memory);
    expect((await gateway.send(admin, 'POST', `/v1/memories/${id}/undo`)).status).toBe(200);
  });

  it('restricts an agent-bound key to its agent and the agent’s allowlist', async () => {
    const bound = await gateway.makeKey({ tenantId, agentId: 'stylist' });
    await addMemory(admin, { user_id: 'dan', content: 'Dan must call home.', category: 'tasks' });
    await addMemory(admin, { user_id: 'dan', content: 'Dan wears green.', category: 'style' });
    const listed = await gateway.send<MemoryPage>(bound, 'GET', '/v1/memories?user_id=dan');
    expect(listed.body.items.map(({ category }) => category)).toEqual(['style']);
    expect(await gateway.send(bound, 'POST', '/v1/memory/query', query('dan', { agent: 'planner' }))).toMatchObject({
      status: 403,
      body: { code: 'forbidden_agent' },
    });
    expect(await gateway.send(bound, 'POST', '/v1/conversations', talk('dan', { agent_id: 'planner' }))).toMatchObject({
      status: 403,
      body: { code: 'forbidden_agent' },
    });
    const own = await gateway.send<ConversationAccepted>(bound, 'POST', '/v1/conversations', talk('dan'));
    const path = `/v1/conversations/${own.body.conversation_id}`;
    expect(await gateway.send(bound, 'GET', path)).toMatchObject({ status: 200, body: { agent_id: 'stylist' } });
    expect((await gateway.send(bound, 'GET', own.body.status_url!)).status).toBe(200);
    const { body: theirs } = await gateway.send<ConversationAccepted>(
      admin,
      'POST',
      '/v1/conversations',
      talk('dan', { agent_id: 'planner' }),
    );
    for (const [method, foreign] of [
      ['GET', `/v1/conversations/${theirs.conversation_id}`],
      ['POST', `/v1/conversations/${theirs.conversation_id}/end`],
      ['GET', theirs.status_url!],
      ['GET', `${theirs.status_url!}/events`],
      ['POST', `${theirs.status_url!}/replay`],
    ] as const) {
      expect((await gateway.send(bound, method, foreign)).status).toBe(404);
    }
  });

  it('refuses an unknown agent, naming it only if it is a plain name, and lists the allowed ones', async () => {
    const answer = await gateway.send(admin, 'POST', '/v1/memory/query', query('u', { agent: 'nobody' }));
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_agent' } });
    expect(answer.body.detail).toContain('supervisor');
    expect(answer.body.detail).toContain('nobody');
    const words = await gateway.send(admin, 'POST', '/v1/memory/query', query('u', { agent: 'my mother says' }));
    expect(words).toMatchObject({ status: 403, body: { code: 'forbidden_agent' } });
    expect(words.body.detail).not.toContain('mother');
  });

  it('refuses a category and lists the allowed ones', async () => {
    const bound = await gateway.makeKey({ tenantId, agentId: 'stylist' });
    const request = query('u', { categories: ['tasks'] });
    const answer = await gateway.send(bound, 'POST', '/v1/memory/query', request);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_category' } });
    expect(answer.body.detail).toMatch(/: preferences, tone, style\.$/);
  });
});

describe('request limits', () => {
  let gateway: TestGateway;
  let tenantId: string;
  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_RATE_LIMIT_PER_MINUTE: '3' } });
    tenantId = await gateway.makeTenant('limits');
  });
  afterAll(() => gateway.close());

  it('count per key and return Retry-After', async () => {
    const [one, two] = await Promise.all([gateway.makeKey({ tenantId }), gateway.makeKey({ tenantId })]);
    for (const remaining of [2, 1, 0]) {
      const answer = await gateway.send(one, 'GET', '/v1/memories');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toContain(`r=${remaining};`);
      expect(answer.headers.get('ratelimit-policy')).toMatch(/^"requests";q=3;w=60, "bytes";q=\d+;/);
    }
    const refused = await gateway.send(one, 'GET', '/v1/memories');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.detail).toMatch(/3 requests per minute/);
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await gateway.send(two, 'GET', '/v1/memories')).status).toBe(200);
  });

  it('block an address after failed attempts, but not keys from it that were valid before', async () => {
    const key = await gateway.makeKey({ tenantId });
    expect((await gateway.send(key, 'GET', '/v1/memories')).status).toBe(200);
    const statuses = new Set<number>();
    for (let guess = 0; guess <= FAILED_ATTEMPTS_PER_MINUTE; guess += 1) {
      statuses.add((await gateway.send(`ann_guess_${guess}`, 'GET', '/v1/memories')).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    expect((await gateway.send(key, 'GET', '/v1/memories')).status).toBe(200);
  });

  it('use the client address that a trusted proxy reports, and no other', async () => {
    const behindProxy = await startGateway({ env: { ANNALS_TRUSTED_PROXIES: '127.0.0.1, ::1' } });
    try {
      const guessFrom = async (target: TestGateway, address: string) =>
        (await target.send('ann_guess', 'GET', '/v1/memories', { headers: { 'x-forwarded-for': address } })).status;
      for (const target of [gateway, behindProxy]) {
        for (let guess = 0; guess <= FAILED_ATTEMPTS_PER_MINUTE; guess += 1) await guessFrom(target, '203.0.113.7');
      }
      expect(await guessFrom(behindProxy, '203.0.113.7')).toBe(429);
      expect(await guessFrom(behindProxy, '203.0.113.8')).toBe(401);
      // A client can put other addresses before its own into the header, but is counted by its own.
      expect(await guessFrom(behindProxy, '203.0.113.9, 203.0.113.7')).toBe(429);
      expect(await guessFrom(gateway, '203.0.113.8')).toBe(429);
    } finally {
      await behindProxy.close();
    }
  });
});
