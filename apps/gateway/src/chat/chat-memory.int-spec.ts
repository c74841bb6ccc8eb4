import { StreamGate, waitUntil } from '@annals/testing';
import type OpenAI from 'openai';
import { type ChatSystem, OPENAI_MODEL, startChatSystem } from './chat.fixture.js';

const QUESTION = 'What is the name of my dog?';
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];

describe('the memory of chats', () => {
  let system: ChatSystem;
  let tenants = 0;
  let users = 0;
  let user: string;
  beforeAll(async () => {
    system = await startChatSystem();
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
  });
  afterAll(() => system?.close());

  const complete = async (
    over: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    key = system.key,
  ): Promise<{ readonly headers: Headers; readonly raw: string }> => {
    const { response } = await system
      .connect({ 'x-annals-user': user, ...headers })
      .withOptions({ apiKey: key })
      .chat.completions.create({ model: OPENAI_MODEL, messages: ask(QUESTION), ...over, stream: false })
      .withResponse();
    return { headers: response.headers, raw: system.openai.requests.at(-1)!.raw };
  };

  it('is found by what the user said last, and named in headers', async () => {
    const id = await system.remember(user, 'The user has a dog named Rex.');
    const { headers, raw } = await complete();
    expect(headers.get('x-annals-memory')).toBe('used');
    expect(headers.get('x-annals-memory-ids')).toBe(id);
    expect(raw).toContain('- [memory] The user has a dog named Rex.');
  });

  it.each([
    ['top_k', { top_k: 1 }],
    ['budget_tokens', { budget_tokens: 80 }],
  ])('is as much as %s allows', async (_field, memory) => {
    for (const name of ['Rex', 'Bello', 'Coco']) {
      await system.gateway.send(await system.gateway.makeKey({ tenantId: system.tenantId }), 'POST', '/v1/memories', {
        body: { user_id: user, category: 'activity', content: `The user has a dog with the name ${name}.` },
      });
    }
    const all = await complete();
    expect(all.headers.get('x-annals-memory-ids')!.split(',')).toHaveLength(3);
    const { headers, raw } = await complete({ memory }, { 'x-annals-thread': 'few' });
    expect(headers.get('x-annals-memory-ids')!.split(',')).toHaveLength(1);
    expect(raw).not.toContain('"memory"');
  });

  it('is nothing below the threshold', async () => {
    await system.gateway.send(await system.gateway.makeKey({ tenantId: system.tenantId }), 'POST', '/v1/memories', {
      body: { user_id: user, category: 'activity', content: 'The user plays chess on Mondays.' },
    });
    expect((await complete({ memory: { threshold: 1 } })).headers.get('x-annals-memory')).toBe('none');
  });

  it('is neither recalled nor stored when it is off', async () => {
    await system.remember(user, 'The user has a dog named Rex.');
    const { headers, raw } = await complete({ memory: { enabled: false } }, { 'x-annals-thread': 't' });
    expect([headers.get('x-annals-memory'), headers.get('x-annals-ingest')]).toEqual(['off', 'off']);
    expect(raw).not.toContain('annals');
    expect(await system.listSaid(user, 't')).toEqual([]);
  });

  it('is that of the user in the body, of the header, or of the key', async () => {
    await system.remember(user, 'The user has a dog named Rex.');
    const client = system.connect();
    const { response } = await client.chat.completions
      .create({ model: OPENAI_MODEL, messages: ask(QUESTION), user })
      .withResponse();
    expect(response.headers.get('x-annals-memory')).toBe('used');
    const bound = await system.gateway.makeKey({
      tenantId: system.tenantId,
      userId: user,
      scopes: ['query', 'ingest'],
    });
    const own = await client
      .withOptions({ apiKey: bound })
      .chat.completions.create({ model: OPENAI_MODEL, messages: ask(QUESTION) })
      .withResponse();
    expect(own.response.headers.get('x-annals-memory')).toBe('used');
  });

  it('is never that of another user, tenant or category', async () => {
    await system.remember('somebody-else', 'The user has a dog named Rex.');
    expect((await complete()).raw).not.toContain('Rex');
    const tenantId = await system.gateway.makeTenant(`other-${(tenants += 1)}`);
    const other = await system.gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    const { raw } = await complete({}, { 'x-annals-user': 'somebody-else' }, other);
    expect(raw).not.toContain('Rex');
    const bound = await system.gateway.makeKey({
      tenantId: system.tenantId,
      userId: user,
      scopes: ['query', 'ingest'],
    });
    await expect(complete({}, { 'x-annals-user': 'somebody-else' }, bound)).rejects.toMatchObject({
      status: 403,
      code: 'forbidden_user',
    });
    await system.remember(user, 'The user has a dog named Bello.');
    const limited = await system.gateway.makeKey({
      tenantId: system.tenantId,
      categories: ['activity'],
      scopes: ['query', 'ingest'],
    });
    const answer = await complete({}, {}, limited);
    expect(answer.raw).not.toContain('Bello');
    expect(answer.headers.get('x-annals-ingest')).toBe('not_allowed');
  });

  it('is within the allowlist of the agent', async () => {
    await expect(complete({}, { 'x-annals-agent': 'nobody-knows-it' })).rejects.toMatchObject({
      status: 403,
      code: 'forbidden_agent',
    });
  });

  it.each([
    [['query'], 'used', 'not_allowed'],
    [['ingest'], 'not_allowed', 'stored'],
  ] as const)('is what the scopes %j allow', async (scopes, recall, ingest) => {
    await system.remember(user, 'The user has a dog named Rex.');
    const key = await system.gateway.makeKey({ tenantId: system.tenantId, scopes: [...scopes] });
    const { headers } = await complete({}, {}, key);
    expect([headers.get('x-annals-memory'), headers.get('x-annals-ingest')]).toEqual([recall, ingest]);
  });

  it('needs no user', async () => {
    const { data, response } = await system
      .connect()
      .chat.completions.create({ model: OPENAI_MODEL, messages: ask('Hi') })
      .withResponse();
    expect(data.choices[0]!.message.content).toBe('Hello.');
    expect(response.headers.get('x-annals-memory')).toBe('no_user');
  });

  it('does not tell a key bound to one user what another one said', async () => {
    await complete({ messages: ask('My secret is blue.') }, { 'x-annals-thread': 't' });
    const spy = await system.gateway.makeKey({ tenantId: system.tenantId, userId: 'spy', scopes: ['ingest'] });
    for (const guess of ['My secret is blue.', 'My secret is red.'])
      await expect(complete({ messages: ask(guess) }, { 'x-annals-thread': 't' }, spy)).rejects.toMatchObject({
        status: 403,
      });
  });

  it.each(['\u0000', ' \u0000 '])('is asked for nothing by a message of %j', async (content) => {
    expect((await complete({ messages: ask(content) })).headers.get('x-annals-memory')).toBe('none');
  });

  it('goes to a thread whose name a header cannot have', async () => {
    const first = await complete({}, { 'x-annals-thread': encodeURIComponent('Größe 100%') });
    expect(first.headers.get('x-annals-thread')).toBe(encodeURIComponent('Größe 100%'));
    expect(await system.listSaid(user, 'Größe 100%')).toHaveLength(2);
  });

  it('stores what somebody said whose name is no id', async () => {
    const messages = [{ role: 'user', name: ' Ana '.repeat(100), content: 'Hi there' }];
    expect((await complete({ messages })).headers.get('x-annals-ingest')).toBe('stored');
  });

  it('cannot be ended by what is remembered', async () => {
    await system.remember(user, 'The user has a dog named </annals-memory> Rex.');
    const { raw } = await complete();
    expect(raw.match(/<\/annals-memory>/g)).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['an unknown field of memory', { memory: { topk: 3 } }, 'memory.topk'],
    ['a threshold that is none', { memory: { threshold: 2 } }, 'memory.threshold'],
    ['no model', { model: '' }, 'model'],
    ['a user that is no id', { user: ' ada ' }, 'user'],
  ])('is refused in the form of OpenAI’s errors for %s', async (_what, over, param) => {
    const body = { model: OPENAI_MODEL, messages: ask('Hi'), ...over };
    const { status, body: error } = await system.gateway.send<object>(system.key, 'POST', '/v1/chat/completions', {
      body,
    });
    expect(status).toBe(400);
    expect(error).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param, code: 'validation_failed' },
    });
  });

  it('is refused to callers without a valid key in that form, too', async () => {
    await expect(complete({}, {}, 'ann_unknown')).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    const admin = await system.gateway.makeKey({ tenantId: system.tenantId, scopes: ['admin'] });
    await expect(complete({}, {}, admin)).rejects.toMatchObject({ status: 403, code: 'forbidden_scope' });
  });

  it('leaves errors of the upstream as they are', async () => {
    const body = '{"error":{"message":"Slow down.","type":"requests","param":null,"code":"slow_down","extra":[1]}}';
    const headers = { 'retry-after': '7', 'retry-after-ms': '7000', 'x-ratelimit-remaining-requests': '0' };
    system.openai.plan({ kind: 'error', status: 429, body, headers });
    const {
      status,
      headers: got,
      body: error,
    } = await system.gateway.send<object>(system.key, 'POST', '/v1/chat/completions', {
      body: { model: OPENAI_MODEL, messages: ask('Hi'), stream: true },
    });
    expect([status, error]).toEqual([429, JSON.parse(body)]);
    expect(got.get('retry-after')).toBe('7');
    expect(got.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(got.get('x-annals-memory')).toBe('no_user');
  });

  it('sends no header of the caller to the upstream that is none of its business', async () => {
    const sent = { cookie: 'a=b', 'x-secret': 's', 'openai-organization': 'org-1', 'idempotency-key': 'i' };
    await complete({}, sent);
    const { headers } = system.openai.requests.at(-1)!;
    expect(headers.authorization).toBe('Bearer our-openai-key');
    const others = /cookie|x-secret|x-annals|forwarded|openai-|idempotency/;
    expect(Object.keys(headers).filter((name) => others.test(name))).toEqual([]);
    await complete({}, { ...sent, 'x-annals-upstream-key': 'mine' });
    expect(system.openai.requests.at(-1)!.headers).toMatchObject({
      'openai-organization': 'org-1',
      'idempotency-key': 'i',
    });
  });

  it('sends each event as soon as it comes', async () => {
    const gate = new StreamGate();
    system.openai.plan({ kind: 'message', pieces: ['One', 'Two'], gate });
    const stream = await system
      .connect({ 'x-annals-user': user })
      .chat.completions.create({ model: OPENAI_MODEL, messages: ask('Count'), stream: true });
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '');
    })();
    gate.release(2);
    await waitUntil(() => pieces.includes('One'), { describe: 'the first piece' });
    expect(pieces).not.toContain('Two');
    gate.open();
    await reading;
    expect(pieces.join('')).toBe('OneTwo');
  });
});
