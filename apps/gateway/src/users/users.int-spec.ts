import type { CategoryConfigBody, ConversationPage, OwnKey, UserPage } from '@annals/contracts';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('lists of what a tenant has, over HTTP', () => {
  let gateway: TestGateway;
  let memories: MemoryFixture;
  beforeAll(async () => {
    gateway = await startGateway();
    memories = await MemoryFixture.open(gateway, 'lists');
    await memories.postMessages('ada', 'london', 'I live in London.');
    await memories.postMessages('bea', 'paris', 'I live in Paris.');
    await memories.addMemory('ada', 'The user lives in London.');
  });
  afterAll(() => gateway.close());

  it('has its users, with the number of their memories', async () => {
    const { status, body } = await gateway.send<UserPage>(memories.key, 'GET', '/v1/users?prefix=a');
    expect([status, body.next_cursor]).toEqual([200, null]);
    expect(body.items).toMatchObject([
      { user_id: 'ada', memories: 1, last_conversation_at: expect.stringMatching(/^\d{4}-/) },
    ]);
  });

  it('has the conversations of a user', async () => {
    const { status, body } = await gateway.send<ConversationPage>(memories.key, 'GET', '/v1/conversations?user_id=ada');
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ user_id: 'ada', thread_id: 'london', message_count: 1, state: 'open' }]);
  });

  it('refuses its users to a key of one of them, and the conversations of another', async () => {
    const key = await gateway.makeKey({ tenantId: memories.tenantId, userId: 'ada' });
    const statuses = await Promise.all(
      ['/v1/users', '/v1/conversations?user_id=bea', '/v1/conversations?user_id=ada'].map(
        async (path) => (await gateway.send(key, 'GET', path)).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 200]);
  });

  it('has the key of the caller, whatever its scopes are', async () => {
    const expiresAt = Date.parse('2100-01-01T00:00:00Z');
    const key = await gateway.makeKey({ tenantId: memories.tenantId, scopes: ['ingest'], userId: 'ada', expiresAt });
    const { status, body } = await gateway.send<OwnKey>(key, 'GET', '/v1/key');
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        scopes: ['ingest'],
        agent_id: null,
        user_id: 'ada',
        categories: null,
        expires_at: '2100-01-01T00:00:00.000Z',
        tenant: { id: memories.tenantId, name: 'lists' },
      },
    ]);
    const operator = await gateway.send<OwnKey>(await gateway.makeOperatorKey(), 'GET', '/v1/key');
    expect(operator.body).toMatchObject({ scopes: ['operator'], tenant: null });
    expect((await gateway.send(null, 'GET', '/v1/key')).status).toBe(401);
  });

  it('has the categories and the lists of agents', async () => {
    const { body } = await gateway.send<CategoryConfigBody>(memories.key, 'GET', '/v1/categories');
    expect(body.categories[0]).toEqual({
      name: 'profile',
      description: null,
      context: 'all',
      rag_length: null,
      on_request_only: false,
    });
    expect(body.categories).toContainEqual(expect.objectContaining({ name: 'procedural', on_request_only: true }));
    expect(Object.keys(body.allowlists)).toContain('supervisor');
    expect(Object.keys(body.allowlists).length).toBeGreaterThan(1);
    const { tenantId } = memories;
    const read = async (bindings: object) =>
      (
        await gateway.send<CategoryConfigBody>(
          await gateway.makeKey({ tenantId, ...bindings }),
          'GET',
          '/v1/categories',
        )
      ).body;
    expect((await read({ userId: 'ada' })).allowlists).toEqual({});
    expect(await read({ categories: ['profile'] })).toMatchObject({
      categories: [{ name: 'profile' }],
      allowlists: {},
    });
    const ofAgent = await read({ agentId: 'supervisor' });
    expect(Object.keys(ofAgent.allowlists)).toEqual(['supervisor']);
    const names = ofAgent.categories.map(({ name }) => name);
    expect(new Set(ofAgent.allowlists['supervisor'])).toEqual(new Set(names));
  });
});
