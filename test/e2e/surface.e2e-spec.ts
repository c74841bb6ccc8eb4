import { type RouteDefinition, routes } from '@annals/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  type AnnalsSystem,
  ApiClient,
  createTestKey,
  makePost,
  startSystem,
  TEST_METRICS_TOKEN,
  waitUntilDone,
} from '@annals/testing';

const NUL = String.fromCharCode(0);
const message = (over: object = {}) => ({ role: 'user', content: 'I like tea.', ...over });
const post = (over: object) => ({ user_id: 'bad', thread_id: 'bad', messages: [message()], ...over });

/** Invalid bodies of a post, the expected status, and the field that the problem names. */
const BAD_POSTS: [what: string, body: unknown, status: number, path: string | undefined][] = [
  ['no user', post({ user_id: undefined }), 400, 'body.user_id'],
  ['an empty user', post({ user_id: '' }), 400, 'body.user_id'],
  ['501 messages', post({ messages: Array.from({ length: 501 }, () => message()) }), 400, 'body.messages'],
  ['no messages', post({ messages: [] }), 400, 'body.messages'],
  ['a body of 2 MB', post({ messages: [message({ content: 'x'.repeat(2_000_000) })] }), 413, undefined],
  [
    'a message that is too long',
    post({ messages: [message({ content: 'x'.repeat(100_001) })] }),
    400,
    'body.messages[0].content',
  ],
  ['broken JSON', '{"user_id": "bad", "messages": [', 400, undefined],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 400, undefined],
  ['an unknown field', post({ mood: 1 }), 400, 'body.mood'],
  [
    'an unknown field of a message',
    post({ messages: [message(), message({ mood: 1 })] }),
    400,
    'body.messages[1].mood',
  ],
  [
    'a date before 1900',
    post({ messages: [message({ created_at: '1800-01-01T00:00:00Z' })] }),
    400,
    'body.messages[0].created_at',
  ],
  [
    'a date far ahead',
    post({ messages: [message(), message({ created_at: '2190-01-01T00:00:00Z' })] }),
    400,
    'body.messages[1].created_at',
  ],
  [
    'a date that does not exist',
    post({ messages: [message({ created_at: '2025-02-30T00:00:00Z' })] }),
    400,
    'body.messages[0].created_at',
  ],
  [
    'a NUL character',
    post({ messages: [message(), message({ content: `a${NUL}b` })] }),
    400,
    'body.messages[1].content',
  ],
  ['a NUL character in an id', post({ user_id: `a${NUL}b` }), 400, 'body.user_id'],
  [
    'a lone surrogate',
    '{"user_id":"bad","messages":[{"role":"user","content":"a\\ud800b"}]}',
    400,
    'body.messages[0].content',
  ],
  ['an unknown role', post({ messages: [message({ role: 'narrator' })] }), 400, 'body.messages[0].role'],
  ['a list', [], 400, 'body'],
];

/** One line of the Prometheus text format. */
const SAMPLE =
  /^memory_llm_[a-z0-9_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (?:-?[0-9.]+(?:e[-+]?\d+)?|NaN|[-+]Inf)$/;

describe('the surface of the API', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startSystem({ env: { ANNALS_TRUSTED_PROXIES: '127.0.0.1, ::1' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  describe('invalid input', () => {
    let conversationId: string;
    beforeAll(async () => {
      const body = { ...makePost([1], { userId: 'bad', threadId: 'bad' }), flush: true };
      const accepted = await client.must('postConversation', { body });
      conversationId = accepted.conversation_id;
      await waitUntilDone(client, accepted.batch_ids, { explain: () => system.lastLines });
    });
    const countRows = async () => {
      const conversation = await client.must('getConversation', { params: { id: conversationId } });
      const { items } = await client.must('listMemories', { query: { user_id: 'bad' } });
      return { messages: conversation.messages.length, memories: items.length };
    };

    it.each(BAD_POSTS)('rejects %s, names the field and stores nothing', async (_what, body, status, path) => {
      const before = await countRows();
      const answer = await client.send('POST', '/v1/conversations', { body });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      const problem = JSON.parse(answer.text) as { status: number; errors?: { path: string }[] };
      expect(problem.status).toBe(status);
      expect(problem.errors?.[0]?.path).toBe(path);
      expect(await countRows()).toEqual(before);
    });

    it('stores none of 500 messages when the last is invalid', async () => {
      const before = await countRows();
      const messages = Array.from({ length: 500 }, (_, n) =>
        message({ id: `n${n}`, content: n === 499 ? '' : 'I like tea.' }),
      );
      const answer = await client.send('POST', '/v1/conversations', { body: post({ messages }) });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('body.messages[499].content');
      expect(await countRows()).toEqual(before);
    });

    it.each<[string, string, unknown, string]>([
      ['/v1/memory/query', 'POST', { query: 'x', filters: {} }, 'body.filters.user_id'],
      ['/v1/memory/query', 'POST', { query: 'x', filters: { user_id: 'bad' }, top_k: 101 }, 'body.top_k'],
      ['/v1/memories', 'POST', { user_id: 'bad', content: '…', category: 'profile' }, 'body.content'],
      ['/v1/memories?limit=0', 'GET', undefined, 'query.limit'],
      ['/v1/memories?cursor=nonsense', 'GET', undefined, 'query.cursor'],
      ['/v1/batches/7', 'GET', undefined, 'params.id'],
      ['/v1/admin/keys', 'POST', { name: 'x', scopes: ['operator'] }, 'body.scopes[0]'],
    ])('rejects invalid input of %s %s', async (path, method, body, field) => {
      const answer = await client.send(method, path, body === undefined ? {} : { body });
      expect(answer.status).toBe(400);
      expect((JSON.parse(answer.text) as { errors: { path: string }[] }).errors[0]!.path).toBe(field);
    });
  });

  describe('keys', () => {
    it.each(Object.entries<RouteDefinition>(routes).filter(([, { scopes }]) => scopes !== 'public'))(
      'are required for %s',
      async (name, { method, path }) => {
        const url = path.replaceAll(/\{\w+\}/g, '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e');
        // One address has fewer failed attempts than there are routes.
        const headers = { 'x-forwarded-for': `10.0.0.${Object.keys(routes).indexOf(name)}` };
        expect((await client.withKey(null).send(method, url, { headers })).status).toBe(401);
      },
    );

    it('allow only what their scopes include, and nothing once revoked', async () => {
      const made = await client.must('createKey', { body: { name: 'reader', scopes: ['query'] } });
      const reader = client.withKey(made.key!);
      const body = { query: 'tea', filters: { user_id: 'bad' } };
      expect((await reader.call('queryMemory', { body })).status).toBe(200);
      const refused = await reader.mustFail('postConversation', {
        body: makePost([1], { userId: 'bad', threadId: 'x' }),
      });
      expect(refused).toMatchObject({ status: 403, code: 'forbidden_scope' });
      expect(await reader.mustFail('listMemories', { query: { user_id: 'bad', state: 'quarantined' } })).toMatchObject({
        status: 403,
      });
      await client.must('revokeKey', { params: { id: made.id } });
      expect((await reader.mustFail('queryMemory', { body })).status).toBe(401);
    });

    it('are rejected when unknown', async () => {
      const stranger = client.withKey(createTestKey('stranger'));
      expect(await stranger.mustFail('listMemories')).toMatchObject({ status: 401, code: 'unauthenticated' });
    });
  });

  it('serves a valid OpenAPI document of every route', async () => {
    const document = JSON.parse((await client.withKey(null).send('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const operations = Object.entries<RouteDefinition>(routes).map(([name, { method, path }]) => [
      name,
      document.paths[path]?.[method.toLowerCase()]?.operationId,
    ]);
    expect(operations).toEqual(Object.keys(routes).map((name) => [name, name]));
  });

  it('serves a documentation page without external resources', async () => {
    const page = await client.withKey(null).send('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const script = await client.withKey(null).send('GET', '/docs/swagger-ui-bundle.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.text).toContain('SwaggerUIBundle');
  });

  it('serves the metrics of every process to the token for them only', async () => {
    for (const each of system.processes) {
      const nobody = new ApiClient(each.url, null);
      for (const other of [nobody, nobody.withKey(system.tenantKey)])
        expect((await other.send('GET', '/metrics')).status).toBe(401);
      const answer = await nobody.withKey(TEST_METRICS_TOKEN).send('GET', '/metrics');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(lines.length).toBeGreaterThan(10);
      for (const line of lines) expect(line).toMatch(SAMPLE);
    }
  });

  it('is alive and ready without a key', async () => {
    for (const each of system.processes) {
      const nobody = new ApiClient(each.url, null);
      expect((await nobody.must('getLiveness')).status).toBe('ok');
      expect(await nobody.must('getReadiness')).toMatchObject({ status: 'ok' });
    }
  });

  it('rejects other paths and other methods', async () => {
    expect((await client.send('GET', '/v1/nothing')).status).toBe(404);
    const answer = await client.send('PUT', '/v1/memory/query', { body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});
