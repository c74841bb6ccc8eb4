import type {
  ConversationAccepted,
  MemoriesForgotten,
  MemoryWritten,
  MessageForgotten,
  Problem,
} from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('forgetting over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('forgetting');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const say = async (user_id: string, ...messages: { content: string; id?: string }[]) =>
    (
      await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', {
        body: { user_id, messages: messages.map((message) => ({ role: 'user', ...message })) },
      })
    ).body;
  const add = async (user_id: string, content: string) =>
    (
      await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
        body: { user_id, content, category: 'preferences' },
      })
    ).body.memory;
  const forget = <Body = MemoriesForgotten>(body: object, { withKey = key, headers = {} } = {}) =>
    gateway.send<Body>(withKey, 'POST', '/v1/memories/forget', { body, headers });
  const search = async (user_id: string, query: string) =>
    JSON.stringify(
      (await gateway.send(key, 'POST', '/v1/memory/query', { body: { query, filters: { user_id } } })).body,
    );

  it('is a dry run unless told otherwise, which shows what would go and what stays', async () => {
    await say('ann', { content: 'I live in Lisbon. My cat is old.' }, { content: 'My aunt lives in Lisbon.' });
    const memory = await add('ann', 'The user lives in Lisbon.');
    const { status, body } = await forget({ user_id: 'ann', text: 'forget that I live in Lisbon' });
    expect([status, body]).toMatchObject([
      200,
      {
        dry_run: true,
        kind: 'statement',
        counts: { memories: 1, turns: 1, echoes: 0 },
        memories: [{ id: memory.id, category: 'preferences', text: 'The user lives in Lisbon.' }],
        turns: [{ is_echo: false, is_whole: false, text: 'I live in Lisbon. My cat is old.' }],
        still_mentions: [{ kind: 'turn', why: 'other_subject', text: 'My aunt lives in Lisbon.' }],
      },
    ]);
    expect(await search('ann', 'live in Lisbon')).toContain('The user lives in Lisbon.');
  });

  it('deletes what the plan of the dry run named, and repeats none of it', async () => {
    await say('bob', { content: 'I live in Lisbon. My cat is old.' });
    const memory = await add('bob', 'The user lives in Lisbon.');
    const request = { user_id: 'bob', text: 'that I live in Lisbon' };
    const { plan } = (await forget(request)).body;
    const headers = { 'idempotency-key': 'forget-bob' };
    const done = await forget({ ...request, dry_run: false, plan }, { headers });
    expect(done).toMatchObject({
      status: 200,
      body: { dry_run: false, memories: [{ id: memory.id }], still_mentions: [] },
    });
    expect(JSON.stringify(done.body)).not.toContain('Lisbon');
    expect((await gateway.send(key, 'GET', `/v1/memories/${memory.id}`)).status).toBe(404);
    expect(await search('bob', 'live in Lisbon')).not.toContain('Lisbon');
    expect(await search('bob', 'old cat')).toContain('My cat is old.');
    // The same request again has its stored answer; as a new one, there is nothing left.
    expect((await forget({ ...request, dry_run: false, plan }, { headers })).body).toEqual(done.body);
    expect((await forget({ ...request, dry_run: false, plan })).body).toMatchObject({ code: 'plan_changed' });
    expect((await forget({ ...request, dry_run: false })).body.counts).toMatchObject({ memories: 0, turns: 0 });
  });

  it('refuses where two subjects fit, and names each', async () => {
    await say('cleo', { content: 'I met Ana Silva.' }, { content: 'I met Ana Costa.' });
    const request = { user_id: 'cleo', text: 'everything about Ana', dry_run: false };
    const refused = await forget<Problem>(request);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'ambiguous_subject',
        candidates: [
          { text: 'Ana Costa', mentions: 1 },
          { text: 'Ana Silva', mentions: 1 },
        ],
      },
    });
    expect((await forget({ ...request, text: 'Ana Costa' })).body.counts.turns).toBe(1);
    expect(await search('cleo', 'Ana')).toContain('Ana Silva');
  });

  it('finds personal values by their placeholder', async () => {
    await say('dan', { content: 'My doctor writes from lena@example.com.' });
    const { body } = await forget({ user_id: 'dan', text: 'everything about Lena@Example.com', dry_run: false });
    expect([body.kind, body.counts.turns]).toEqual(['identifier', 1]);
  });

  it.each([
    ['', 'body.text'],
    ['!?', 'body.text'],
    ['forget', 'body.text'],
    ['x'.repeat(501), 'body.text'],
  ])('refuses a text that names nothing: %s', async (text, path) => {
    const { status, body } = await forget<Problem>({ user_id: 'eve', text });
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'validation_failed', path]);
  });

  it('tells a key that may not read how much there is, and no words', async () => {
    await say(
      'fay',
      { content: 'I live in Lisbon.' },
      { content: 'I met Ana Silva.' },
      { content: 'I met Ana Costa.' },
    );
    const withKey = await gateway.makeKey({ tenantId, scopes: ['ingest'] });
    const { body } = await forget({ user_id: 'fay', text: 'that I live in Lisbon' }, { withKey });
    expect(Object.keys(body).toSorted()).toEqual(['counts', 'dry_run', 'kind', 'plan']);
    const refused = await forget<Problem>({ user_id: 'fay', text: 'Ana' }, { withKey });
    expect(refused).toMatchObject({ status: 409, body: { candidates: [] } });
  });

  it('is only for keys that may see all of the person', async () => {
    const request = { user_id: 'gus', text: 'everything about Lisbon' };
    const refusals = [
      [await gateway.makeKey({ tenantId, scopes: ['query'] }), 'forbidden_scope'],
      [await gateway.makeKey({ tenantId, userId: 'hal' }), 'forbidden_user'],
      [await gateway.makeKey({ tenantId, categories: ['goals'] }), 'forbidden_category'],
    ] as const;
    for (const [withKey, code] of refusals) {
      expect(await forget<Problem>(request, { withKey })).toMatchObject({ status: 403, body: { code } });
    }
    const own = await gateway.makeKey({ tenantId, userId: 'gus' });
    expect((await forget(request, { withKey: own })).status).toBe(200);
  });

  it('forgets one message by its own id, or by that of the caller', async () => {
    const { conversation_id: conversation } = await say(
      'ida',
      { id: 'm1', content: 'I live in Lisbon.' },
      { content: 'My cat is old.' },
    );
    const path = (message: string) => `/v1/conversations/${conversation}/messages/${message}`;
    const forgotten = await gateway.send<MessageForgotten>(key, 'DELETE', path('m1'));
    expect(forgotten).toMatchObject({ status: 200, body: { conversation_id: conversation, memories_deleted: [] } });
    expect((await gateway.send(key, 'DELETE', path('m1'))).status).toBe(404);
    expect((await gateway.send(key, 'DELETE', path(forgotten.body.message_id))).status).toBe(404);
    expect((await gateway.send(key, 'DELETE', path('unknown'))).status).toBe(404);
    const own = await gateway.makeKey({ tenantId, userId: 'joe' });
    expect((await gateway.send(own, 'DELETE', path('m1'))).status).toBe(404);
    expect(await search('ida', 'live in Lisbon')).not.toContain('Lisbon');
    expect(await search('ida', 'old cat')).toContain('My cat is old.');
  });
});
