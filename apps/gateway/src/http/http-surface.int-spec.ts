import { routes, type RouteDefinition } from '@annals/contracts';
import { DatabaseUnavailableError } from '@annals/storage';
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const ID = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e';

describe('the HTTP surface', () => {
  let gateway: TestGateway;
  let key: string;
  let tenantId: string;
  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_TRUSTED_PROXIES: '127.0.0.1, ::1' } });
    tenantId = await gateway.makeTenant('surface');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  it('answers an unknown path with 404, without repeating it', async () => {
    const answer = await gateway.send(key, 'GET', '/v1/my-secret-thing');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ code: 'not_found', status: 404, type: 'urn:annals:problem:not_found' });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('answers a wrong method with 405 and the allowed methods', async () => {
    const answer = await gateway.send(key, 'DELETE', '/v1/memories');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect((await gateway.send(key, 'PUT', `/v1/memories/${ID}`)).headers.get('allow')).toBe('DELETE, GET, PATCH');
  });

  it('refuses HEAD of an event stream, which would never end', async () => {
    const response = await fetch(`${gateway.url}/v1/batches/${ID}/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(405);
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
  ])('refuses the content type %s', async (type, status) => {
    const answer = await gateway.send(key, 'POST', '/v1/memory/query', {
      raw: 'a=b',
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe('unsupported_media_type');
  });

  /** Begins a request with a long body, and returns the answer's head once the gateway has ended the connection. */
  async function beginBody(head: readonly string[], body: string): Promise<string> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const lines = ['POST /v1/conversations HTTP/1.1', `Host: ${hostname}`, 'Content-Type: application/json', ...head];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => void (answer += text));
    await once(socket, 'close');
    return answer;
  }

  it.each([
    ['100 MB', 'Content-Length: 104857600', '{"messages":['],
    ['unknown length', 'Transfer-Encoding: chunked', 'd\r\n{"messages":[\r\n'],
  ])('ends the connection of a body of %s that nobody will read', async (_, length, body) => {
    for (const [status, authorization] of [
      [401, 'Bearer ann_wrong'],
      [403, `Bearer ${await gateway.makeKey({ tenantId, scopes: ['query'] })}`],
    ]) {
      const answer = await beginBody([length, `Authorization: ${authorization}`], body);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer.toLowerCase()).toContain('connection: close');
    }
  });

  it('keeps the connection of a refused request with a short body', async () => {
    const answer = await gateway.send('ann_wrong', 'POST', '/v1/conversations', { body: {} });
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
  });

  it('refuses a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await gateway.send(key, 'POST', '/v1/memory/query', { body: {}, headers })).status).toBe(415);
  });

  it('refuses a body and a query where the route has none', async () => {
    const body = await gateway.send(key, 'POST', `/v1/conversations/${ID}/end`, { body: { why: 1 } });
    expect(body).toMatchObject({ status: 400, body: { errors: [{ path: 'body' }] } });
    const query = await gateway.send(key, 'GET', `/v1/batches/${ID}?verbose=1`);
    expect(query).toMatchObject({ status: 400, body: { errors: [{ path: 'query' }] } });
  });

  it('names a bad parameter, a bad page and a bad cursor', async () => {
    expect((await gateway.send(key, 'GET', '/v1/batches/7')).body.errors).toMatchObject([{ path: 'params.id' }]);
    expect((await gateway.send(key, 'GET', '/v1/memories?limit=0')).body.errors).toMatchObject([
      { path: 'query.limit' },
    ]);
    const cursor = await gateway.send(key, 'GET', '/v1/memories?cursor=nonsense');
    expect(cursor).toMatchObject({ status: 400, body: { errors: [{ path: 'query.cursor' }] } });
  });

  it.each(['/%E0%A4%A', `/v1/batches/${'x'.repeat(3_000)}`])(
    'answers the malformed path %# with problem details',
    async (path) => {
      const answer = await sendRaw(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.type).toContain('application/problem+json');
    },
  );

  it('answers invalid HTTP with 400', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 .*problem\+json/s);
    socket.destroy();
  });

  it('answers headers that are too large with 431', async () => {
    const answer = await sendRaw('/health/live', { 'x-long': 'x'.repeat(40_000) });
    expect(answer.status).toBe(431);
  });

  it('returns a valid request id and generates one otherwise', async () => {
    const own = await gateway.send(null, 'GET', '/health/live', { headers: { 'x-request-id': 'my-request-1' } });
    expect(own.headers.get('x-request-id')).toBe('my-request-1');
    const odd = await gateway.send(key, 'GET', '/v1/batches/7', { headers: { 'x-request-id': 'a b"c' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{14}7/);
    expect(odd.body.request_id).toBe(odd.headers.get('x-request-id'));
  });

  it('sends security headers, and none that identify the server software', async () => {
    const { headers } = await gateway.send(null, 'GET', '/health/live');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers 503 with Retry-After while the database is unavailable, and 500 without details for a bug', async () => {
    const failing = vi.spyOn(gateway.database, 'readTenant');
    failing.mockRejectedValueOnce(new DatabaseUnavailableError(new Error('secret host')));
    const away = await gateway.send(key, 'GET', '/v1/memories');
    expect(away).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(away.headers.get('retry-after')).toBe('2');
    failing.mockRejectedValueOnce(new Error('secret words'));
    const bug = await gateway.send(key, 'GET', '/v1/memories');
    expect(bug).toMatchObject({ status: 500, body: { code: 'internal' } });
    failing.mockRestore();
    expect(JSON.stringify([away.body, bug.body])).not.toMatch(/secret|stack|at /);
    const line = gateway.log.find(
      (entry) => entry.includes(String(bug.body.request_id)) && entry.includes('http_request_error'),
    );
    expect(line).toBeDefined();
    expect(line).not.toContain('secret words');
  });

  it('counts requests by route, not by path', async () => {
    await gateway.send(key, 'GET', `/v1/batches/${ID}`);
    const { body } = await gateway.infrastructure.metrics.render();
    expect(body).toMatch(
      /memory_llm_http_requests_total\{[^}]*route="\/v1\/batches\/\{id\}"[^}]*status_class="4xx"[^}]*\} \d/,
    );
    expect(body).not.toContain(ID);
  });

  it.each(Object.entries<RouteDefinition>(routes).filter(([, route]) => route.scopes !== 'public'))(
    'refuses %s without a key, whatever the body',
    async (name, route) => {
      const path = route.path.replace('{id}', ID);
      const headers = { 'x-forwarded-for': addressFor(name) };
      const answer = await gateway.send(null, route.method, path, {
        headers,
        ...(route.body ? { raw: '{broken' } : {}),
      });
      const problem = { code: 'unauthenticated' };
      expect(answer).toMatchObject({ status: 401, body: route.errorForm === 'openai' ? { error: problem } : problem });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );

  /** An address for each route: one address has fewer failed attempts than there are routes. */
  function addressFor(name: string): string {
    return `10.0.0.${Object.keys(routes).indexOf(name)}`;
  }

  /** Sends a path as it is, which fetch would normalize. */
  async function sendRaw(path: string, headers: Record<string, string> = {}) {
    const { port } = new URL(gateway.url);
    const sent = request({ host: '127.0.0.1', port, path, headers });
    sent.end();
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return { status: response.statusCode ?? 0, type: response.headers['content-type'] };
  }
});
