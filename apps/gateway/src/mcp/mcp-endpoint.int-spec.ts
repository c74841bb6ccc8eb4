import type { Problem } from '@annals/contracts';
import { readEventStream, waitUntil } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ACCEPT = { accept: 'application/json, text/event-stream' };
const modern = (method: string) => ({ ...ACCEPT, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: META },
});

describe('/mcp', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_BODY_LIMIT_BYTES: '20000', ANNALS_MCP_AUTHORIZATION_SERVERS: 'https://login.example.com' },
    });
    tenantId = await gateway.makeTenant('acme');
    key = await gateway.makeKey({ tenantId, userId: 'ada', scopes: ['query', 'ingest'] });
  });
  afterAll(() => gateway?.close());

  const list = (over: Record<string, string> = {}) =>
    gateway.send<{ result: { tools: object[] } } & Problem>(key, 'POST', '/mcp', {
      body: message('tools/list'),
      headers: { ...modern('tools/list'), ...over },
    });

  it('answers a message by one JSON response, with the headers of any route', async () => {
    const { status, headers, body } = await list({ 'x-request-id': 'request-of-spec' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('x-request-id')).toBe('request-of-spec');
    expect(headers.get('ratelimit-policy')).toContain('"requests"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.result.tools.length).toBeGreaterThan(2);
  });

  it('tells a caller without a valid key where the metadata of OAuth is', async () => {
    for (const wrong of [null, 'ann_unknown']) {
      const { status, headers, body } = await gateway.send(wrong, 'POST', '/mcp', { body: message('tools/list') });
      expect([status, body.code]).toEqual([401, 'unauthenticated']);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="annals", resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
    const other = await gateway.send(null, 'GET', '/v1/memories');
    expect(other.headers.get('www-authenticate')).toBe('Bearer realm="annals"');
  });

  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'is described by %s',
    async (path) => {
      const { status, body } = await gateway.send<object>(null, 'GET', path);
      expect(status).toBe(200);
      expect(body).toEqual({
        resource: `${gateway.url}/mcp`,
        resource_name: 'Annals',
        authorization_servers: ['https://login.example.com'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['query', 'ingest'],
        resource_documentation: `${gateway.url}/docs`,
      });
    },
  );

  it('refuses a key that can neither query nor ingest', async () => {
    const reader = await gateway.makeKey({ tenantId, scopes: ['admin'] });
    const { status, body } = await gateway.send(reader, 'POST', '/mcp', { body: message('tools/list') });
    expect([status, body.code]).toEqual([403, 'forbidden_scope']);
  });

  it('refuses web pages of other hosts', async () => {
    const { status, body } = await list({ origin: 'https://evil.example' });
    expect([status, body.code]).toEqual([403, 'forbidden_origin']);
    expect(body.detail).toContain('ANNALS_MCP_HOSTS');
    expect((await list({ origin: 'http://localhost:3000' })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT'])('has no sessions and no streams of its own: %s is not allowed', async (method) => {
    const { status, headers } = await gateway.send(key, method, '/mcp', { headers: ACCEPT });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses bodies that are too large, no JSON, or of another type', async () => {
    const large = message('tools/call', { name: 'memory_remember', arguments: { text: 'x'.repeat(20_001) } });
    const sent = (raw: string, headers = {}) => gateway.send(key, 'POST', '/mcp', { raw, headers });
    expect((await sent(JSON.stringify(large))).body).toMatchObject({ status: 413, code: 'body_too_large' });
    expect((await sent('{"jsonrpc":')).body).toMatchObject({ status: 400, code: 'invalid_json' });
    expect((await sent('{}', { 'content-type': 'text/plain' })).body).toMatchObject({ status: 415 });
  });

  it.each<[string, unknown]>([
    ['text', 'anything'],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['an empty list', []],
    ['nested lists', [[[]]]],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'tools/list' }],
    ['a method that is none', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }],
  ])('answers %s in place of a message by an error of the protocol', async (_what, body) => {
    const { status, body: answer } = await gateway.send<object>(key, 'POST', '/mcp', { body, headers: ACCEPT });
    expect(status).toBeLessThan(500);
    // A stream of events has it as text.
    expect(JSON.stringify(answer)).toMatch(/error\\?":\{\\?"code\\?":-32\d{3}/);
  });

  it('gives nothing to a prototype in the arguments', async () => {
    const raw = JSON.stringify(message('tools/call', { name: 'memory_query', arguments: {} })).replace(
      '"arguments":{}',
      '"arguments":{"query":"tea","__proto__":{"user_id":"bob"}}',
    );
    const { status, body } = await gateway.send(key, 'POST', '/mcp', { raw, headers: modern('tools/call') });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('counts a call of a tool as the requests that it consists of, and logs each under one id', async () => {
    gateway.log.length = 0;
    await gateway.send(key, 'POST', '/mcp', {
      body: message('tools/call', { name: 'memory_query', arguments: { query: 'tea' } }),
      headers: { ...modern('tools/call'), 'mcp-name': 'memory_query', 'x-request-id': 'call-of-spec' },
    });
    // The last line is written when the response has been sent.
    const lines = await waitUntil(
      () => {
        const written = gateway.log.map((line) => JSON.parse(line) as { event: string });
        const complete = written.filter(({ event }) => event === 'http_request_complete');
        return complete.length === 2 && complete;
      },
      { describe: 'two requests are logged' },
    );
    expect(lines).toMatchObject([
      { requestId: 'call-of-spec', context: { method: 'POST', route: '/v1/memory/query', status: 200 } },
      { requestId: 'call-of-spec', context: { method: 'POST', route: '/mcp', status: 200 } },
    ]);
  });

  it('ends a call by the sentence of the limit that it exceeds', async () => {
    const limited = await startGateway({ env: { ANNALS_RATE_LIMIT_PER_MINUTE: '1' } });
    try {
      const tenant = await limited.makeTenant('acme');
      const single = await limited.makeKey({ tenantId: tenant, userId: 'ada', scopes: ['query'] });
      const call = () =>
        limited.send<{ result?: object } & Problem>(single, 'POST', '/mcp', {
          body: message('tools/call', { name: 'memory_query', arguments: { query: 'tea' } }),
          headers: { ...modern('tools/call'), 'mcp-name': 'memory_query' },
        });
      expect((await call()).body.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('This key may send 1 requests per minute.') }],
      });
      expect((await call()).body).toMatchObject({ status: 429, code: 'rate_limited' });
    } finally {
      await limited.close();
    }
  });

  it('ends open subscriptions when the process stops', async () => {
    const stopping = await startGateway();
    const tenant = await stopping.makeTenant('acme');
    const listener = await stopping.makeKey({ tenantId: tenant, userId: 'ada', scopes: ['query'] });
    const response = await fetch(`${stopping.url}/mcp`, {
      method: 'POST',
      headers: {
        ...modern('subscriptions/listen'),
        authorization: `Bearer ${listener}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(message('subscriptions/listen', { notifications: { toolsListChanged: true } })),
    });
    const events = readEventStream(response.body!);
    const { value } = await events.next();
    expect(value?.data).toContain('notifications/subscriptions/acknowledged');
    const ended = (async () => {
      while (!(await events.next()).done);
    })();
    await stopping.close();
    await ended.catch(() => undefined);
  });
});

describe('/mcp of a process that other machines reach', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_MCP_HOSTS: 'memory.example.com', ANNALS_TRUSTED_PROXIES: '127.0.0.1' },
    });
  });
  afterAll(() => gateway?.close());

  it('is served under its names alone, as the proxy tells them', async () => {
    const tenantId = await gateway.makeTenant('acme');
    const key = await gateway.makeKey({ tenantId, userId: 'ada', scopes: ['query'] });
    const list = (headers: Record<string, string>) =>
      gateway.send<{ result?: object; code?: string }>(key, 'POST', '/mcp', {
        body: message('tools/list'),
        headers: { ...modern('tools/list'), ...headers },
      });
    expect((await list({ 'x-forwarded-host': 'memory.example.com' })).status).toBe(200);
    expect((await list({ 'x-forwarded-host': 'evil.example' })).body.code).toBe('forbidden_origin');
    expect((await list({})).body.code).toBe('forbidden_origin');
  });

  it('is described by the URL that clients see, without an authorization server unless one is set', async () => {
    const headers = { 'x-forwarded-host': 'memory.example.com', 'x-forwarded-proto': 'https' };
    const { body } = await gateway.send<object>(null, 'GET', '/.well-known/oauth-protected-resource', { headers });
    expect(body).toMatchObject({ resource: 'https://memory.example.com/mcp' });
    expect(body).not.toHaveProperty('authorization_servers');
    const refused = await gateway.send(null, 'POST', '/mcp', { body: message('tools/list'), headers });
    expect(refused.headers.get('www-authenticate')).toContain('"https://memory.example.com/.well-known/');
  });
});
