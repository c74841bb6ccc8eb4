import type { Batch, Conversation, ConversationAccepted, ConversationEnded } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const DAY_MS = 86_400_000;

describe('conversations over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('talks');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const post = (body: unknown) => gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', { body });
  const refuse = (body: unknown) => gateway.send(key, 'POST', '/v1/conversations', { body });
  const message = (content: string, rest = {}) => ({ role: 'user', content, ...rest });
  const rows = (table: string) =>
    gateway.database.inTenant(tenantId, (tx) => tx.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`));
  const countMessages = async () => (await rows('messages'))[0]!.count;

  it('stores messages and returns the status URL of their batch', async () => {
    const kicked = gateway.kicks.count;
    const answer = await post({ user_id: 'u1', thread_id: 't1', messages: [message('I like tea.', { id: 'm1' })] });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ thread_id: 't1', accepted: 1, duplicates: 0, redactions: {} });
    expect(answer.headers.get('location')).toBe(answer.body.status_url);
    expect(answer.headers.get('location')).toBe(`/v1/batches/${answer.body.batch_ids[0]}`);
    expect(gateway.kicks.count).toBe(kicked + 1);
    const batch = await gateway.send<Batch>(key, 'GET', answer.body.status_url!);
    expect(batch.body).toMatchObject({ status: 'queued', messages: 1, user_id: 'u1', thread_id: 't1' });
  });

  it('answers 200 without a batch when all messages are duplicates', async () => {
    const body = { user_id: 'u2', thread_id: 't1', messages: [message('Hello.', { id: 'm1' })] };
    expect((await post(body)).status).toBe(202);
    const again = await post(body);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ batch_ids: [], accepted: 0, duplicates: 1 });
    expect(again.headers.get('location')).toBeNull();
  });

  it('refuses a repeated id with other content, names it, and stores no message of the request', async () => {
    await post({ user_id: 'u3', thread_id: 't1', messages: [message('First words.', { id: 'm1' })] });
    const before = await countMessages();
    const messages = [message('a'), message('b'), message('c'), message('Other words.', { id: 'm1' })];
    const answer = await refuse({ user_id: 'u3', thread_id: 't1', messages });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'message_conflict', errors: [{ path: 'body.messages[3].id' }] });
    expect(await countMessages()).toBe(before);
  });

  it('redacts before anything is stored, and still detects duplicates of the original content', async () => {
    const body = { user_id: 'u4', thread_id: 't1', messages: [message('Write to eve@example.com.', { id: 'm1' })] };
    const answer = await post(body);
    expect(answer.body.redactions).toEqual({ EMAIL: 1 });
    const conversation = await gateway.send<Conversation>(
      key,
      'GET',
      `/v1/conversations/${answer.body.conversation_id}`,
    );
    expect(conversation.body.messages).toMatchObject([
      { content: expect.stringMatching(/^Write to \[email [0-9a-f]{16}\]\.$/), seq: 0 },
    ]);
    expect((await post(body)).status).toBe(200);
    const other = { ...body, messages: [message('Write to bob@example.com.', { id: 'm1' })] };
    expect((await post(other)).status).toBe(409);
    expect(gateway.log.join('')).not.toContain('example.com');
  });

  it('accepts 500 messages in one request', async () => {
    const messages = Array.from({ length: 500 }, (_, index) => message(`Number ${index}.`, { id: `m${index}` }));
    const answer = await post({ user_id: 'u5', messages });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ accepted: 500, thread_id: answer.body.conversation_id });
    expect(answer.body.batch_ids).toHaveLength(10);
  });

  it('ends a conversation once', async () => {
    const { body } = await post({ user_id: 'u6', messages: [message('Bye.')] });
    const path = `/v1/conversations/${body.conversation_id}/end`;
    const ended = await gateway.send<ConversationEnded>(key, 'POST', path);
    expect(ended.status).toBe(200);
    expect(ended.body.state).toBe('ended');
    const again = await gateway.send<ConversationEnded>(key, 'POST', path, { body: {} });
    expect(again.body.ended_at).toBe(ended.body.ended_at);
  });

  it('returns messages page by page', async () => {
    const { body } = await post({ user_id: 'u7', messages: ['a', 'b', 'c'].map((text) => message(text)) });
    const path = `/v1/conversations/${body.conversation_id}?limit=2`;
    const first = await gateway.send<Conversation>(key, 'GET', path);
    expect(first.body.messages).toHaveLength(2);
    const second = await gateway.send<Conversation>(key, 'GET', `${path}&cursor=${first.body.next_cursor}`);
    expect(second.body.messages).toMatchObject([{ content: 'c' }]);
    expect(second.body.next_cursor).toBeNull();
  });

  it('does not return a conversation of another tenant', async () => {
    const { body } = await post({ user_id: 'u8', messages: [message('Mine.')] });
    const other = await gateway.makeKey({ tenantId: await gateway.makeTenant('others') });
    for (const path of [`/v1/conversations/${body.conversation_id}`, body.status_url!]) {
      expect((await gateway.send(other, 'GET', path)).status).toBe(404);
    }
  });

  it.each<[string, unknown, string]>([
    ['no user', { messages: [message('x')] }, 'body.user_id'],
    ['501 messages', { user_id: 'u', messages: Array.from({ length: 501 }, () => message('x')) }, 'body.messages'],
    ['no messages', { user_id: 'u', messages: [] }, 'body.messages'],
    ['an unknown field', { user_id: 'u', messages: [message('x')], mood: 1 }, 'body.mood'],
    ['an unknown field within', { user_id: 'u', messages: [message('x', { mood: 1 })] }, 'body.messages[0].mood'],
    ['a NUL byte', { user_id: 'u', messages: [message('a\u0000b')] }, 'body.messages[0].content'],
    ['a lone surrogate', { user_id: 'u', messages: [message('a'), message('\ud800')] }, 'body.messages[1].content'],
    ['a lone surrogate in an id', { user_id: '\udfff', messages: [message('x')] }, 'body.user_id'],
    [
      'a date before 1900',
      { user_id: 'u', messages: [message('x', { created_at: '1899-12-31T23:59:59Z' })] },
      'body.messages[0].created_at',
    ],
    [
      'a date that does not exist',
      { user_id: 'u', messages: [message('x', { created_at: '2025-02-30T00:00:00Z' })] },
      'body.messages[0].created_at',
    ],
    [
      'a date in the future',
      {
        user_id: 'u',
        messages: [message('x'), message('y', { created_at: new Date(Date.UTC(2190, 0)).toISOString() })],
      },
      'body.messages[1].created_at',
    ],
    ['a wrong type', { user_id: 7, messages: [message('x')] }, 'body.user_id'],
    ['an unknown role', { user_id: 'u', messages: [{ role: 'god', content: 'x' }] }, 'body.messages[0].role'],
    ['a list', [], 'body'],
    ['a number', 7, 'body'],
    ['null', null, 'body'],
  ])('refuses %s with 400 naming the field', async (_what, body, path) => {
    const before = await countMessages();
    const answer = await refuse(body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ code: 'validation_failed', status: 400 });
    expect(answer.body.errors![0]!.path).toBe(path);
    expect(await countMessages()).toBe(before);
  });

  it('accepts a time up to a day in the future', async () => {
    const soon = new Date(gateway.infrastructure.clock.now() + DAY_MS - 60_000).toISOString();
    expect((await post({ user_id: 'u9', messages: [message('x', { created_at: soon })] })).status).toBe(202);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['broken JSON', '{"user_id": "u", ', 'invalid_json'],
    ['plain text', 'hello', 'invalid_json'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0xfe, 0x22), 'invalid_json'],
    ['a number that overflows', '{"user_id":1e999,"messages":[]}', 'validation_failed'],
    ['an empty body', '', 'validation_failed'],
    ['deep nesting', `{"user_id":"u","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'validation_failed'],
  ])('refuses %s', async (_what, raw, code) => {
    const answer = await gateway.send(key, 'POST', '/v1/conversations', { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
  });

  it.each([
    ['{"user_id":"u","messages":[],"__proto__":{"x":1}}', '__proto__'],
    ['{"user_id":"u","messages":[{"role":"user","content":"x","__proto__":null}]}', '__proto__'],
    ['{"user_id":"u","\\u005f_proto__":1}', '__proto__'],
    ['{"constructor":{"prototype":{"x":1}}}', 'constructor.prototype'],
  ])('refuses %s, which is valid JSON, with a sentence that names the field', async (raw, field) => {
    const { status, body } = await gateway.send(key, 'POST', '/v1/conversations', { raw });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' });
    expect(body.errors).toEqual([
      { path: 'body', message: expect.stringContaining(`Remove the field ${field}:`) as string },
    ]);
  });

  it('refuses a body of 2 MB and names the limit', async () => {
    const answer = await refuse({ user_id: 'u', messages: [message('x'.repeat(2_000_000))] });
    expect(answer.status).toBe(413);
    expect(answer.body.code).toBe('body_too_large');
    expect(answer.body.detail).toContain('1048576');
  });

  it('refuses a large body without Content-Length', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(65_536));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 32) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${gateway.url}/v1/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(((await response.json()) as { code: string }).code).toBe('body_too_large');
  });

  it('never repeats a refused value in the response', async () => {
    const answer = await refuse({
      user_id: 'u',
      messages: [{ role: 'my-secret-role', content: 7, 'my secret field': 1 }],
    });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });
});
