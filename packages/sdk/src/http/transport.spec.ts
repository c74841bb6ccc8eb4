import {
  AbortError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProblemError,
  RateLimitedError,
  RevisionConflictError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from '../index.js';
import { createDrivenSystem, type DrivenSystem, TIME_LIMIT_MS } from '../fixtures/driven-system.fixture.js';
import { hangUp, json, problem, type Reply, silence, startApi, type TestApi } from '../fixtures/start-api.fixture.js';
import { SYSTEM } from '../system.js';
import type { Call } from './call.js';
import { readOptions } from './options.js';
import { Transport } from './transport.js';

const READ: Call = { method: 'GET', path: '/v1/usage' };
const WRITE: Call = { method: 'POST', path: '/v1/memories', body: { content: 'tea' }, idempotent: true };
const UNKEYED: Call = { method: 'POST', path: '/v1/threads/t/turns/restore', body: {} };

describe('Transport', () => {
  let api: TestApi;
  let system: DrivenSystem;
  let transport: Transport;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(() => {
    system = createDrivenSystem();
    transport = create();
  });

  const create = (options = {}) =>
    new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1', timeoutMs: TIME_LIMIT_MS, ...options }), system);
  const fail = async (reply: Reply, call: Call = READ): Promise<unknown> => {
    api.reply(reply);
    return transport.json(call).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );
  };

  describe('a request', () => {
    it('has the key, the parameters, the body and the headers of its call', async () => {
      api.reply(json({ ok: true }));
      const client = create({ baseUrl: `${api.url}/memory/`, headers: { 'X-Team': 'a', 'x-other': 'b' } });
      const answer = await client.json({
        method: 'PATCH',
        path: '/v1/apps/{app_id}/memories/{id}',
        params: { app_id: 'a/ b%?ä', id: '1' },
        query: { pinned: true, limit: 5, cursor: undefined },
        body: { content: 'tea' },
        idempotent: true,
        options: { ifMatch: 3, requestId: 'request-1', headers: { 'x-team': 'c' } },
      });
      expect(answer).toEqual({ ok: true });
      expect(api.requests).toMatchObject([
        {
          method: 'PATCH',
          url: '/memory/v1/apps/a%2F%20b%25%3F%C3%A4/memories/1?pinned=true&limit=5',
          body: '{"content":"tea"}',
          headers: {
            authorization: 'Bearer ann_1',
            'content-type': 'application/json',
            'idempotency-key': 'id-1',
            'if-match': '"3"',
            'x-request-id': 'request-1',
            'x-team': 'c',
            'x-other': 'b',
          },
        },
      ]);
    });

    it('has neither body nor key when its call has none', async () => {
      api.reply(json({}));
      await transport.json(READ);
      expect(Object.keys(api.requests[0]!.headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/content-|idempotency|if-match|x-request/)]),
      );
    });

    it.each(['', '.', '..'])('is not sent with "%s" in its path, which would name another one', async (id) => {
      api.reply(json({}));
      await expect(transport.json({ method: 'GET', path: '/v1/memories/{id}', params: { id } })).rejects.toThrow(
        new TypeError('Give a id that is a text, not empty, and neither "." nor "..".'),
      );
      expect(api.requests).toEqual([]);
    });
  });

  describe('retries', () => {
    it('send the same request with the same Idempotency-Key', async () => {
      api.reply(hangUp, problem(503, 'unavailable'), problem(409, 'idempotency_in_flight'), json({ id: 1 }));
      expect(await transport.json(WRITE)).toEqual({ id: 1 });
      expect(api.requests).toHaveLength(4);
      expect(new Set(api.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['id-1']));
      expect(new Set(api.requests.map(({ body }) => body))).toEqual(new Set(['{"content":"tea"}']));
      expect(system.waits).toEqual([250, 500, 1_000]);
    });

    it('use the key of the caller, and one of its own for each other call', async () => {
      api.reply(json({}));
      await transport.json(WRITE);
      await transport.json(WRITE);
      await transport.json({ ...WRITE, options: { idempotencyKey: 'order-1' } });
      expect(api.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['id-1', 'id-2', 'order-1']);
    });

    it('wait as long as Retry-After asks', async () => {
      api.reply(problem(429, 'rate_limited', {}, { 'retry-after': '7' }), json({}));
      await transport.json(READ);
      expect(system.waits).toEqual([7_000]);
    });

    it('end after maxRetries with the last error', async () => {
      const error = await fail(problem(500, 'internal'));
      expect(error).toBeInstanceOf(ServerError);
      expect(api.requests).toHaveLength(4);
      await fail(problem(500, 'internal'), { ...READ, options: { maxRetries: 1 } });
      expect(api.requests).toHaveLength(2);
      transport = create({ maxRetries: 0 });
      await fail(problem(500, 'internal'));
      expect(api.requests).toHaveLength(1);
    });

    it('never repeat a write that has no key', async () => {
      expect(await fail(hangUp, UNKEYED)).toBeInstanceOf(ConnectionError);
      expect(api.requests).toHaveLength(1);
      expect(await fail(problem(503, 'unavailable'), UNKEYED)).toBeInstanceOf(ServerError);
      expect(api.requests).toHaveLength(1);
    });

    it('repeat a post that changes nothing', async () => {
      api.reply(hangUp, json({ memories: [] }));
      expect(await transport.json({ ...UNKEYED, readOnly: true })).toEqual({ memories: [] });
    });

    it('repeat an answer that breaks off', async () => {
      const cut: Reply = (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":', () => response.destroy());
      };
      api.reply(cut, json({ id: 1 }));
      expect(await transport.json(READ)).toEqual({ id: 1 });
    });
  });

  describe('errors', () => {
    it.each([
      [400, InvalidRequestError],
      [413, InvalidRequestError],
      [422, InvalidRequestError],
      [401, AuthenticationError],
      [403, PermissionError],
      [404, NotFoundError],
      [409, ConflictError],
      [410, GoneError],
      [412, RevisionConflictError],
      [429, RateLimitedError],
      [500, ServerError],
      [503, ServerError],
    ])('have a class for the status %i', async (status, expected) => {
      const error = await fail(problem(status, 'not_found'));
      expect(error).toBeInstanceOf(ProblemError);
      expect((error as Error).constructor).toBe(expected);
      expect((error as Error).name).toBe(expected.name);
    });

    it('have everything that the problem document says', async () => {
      const errors = [{ path: 'body.content', message: 'Send a text.' }];
      const error = (await fail(
        problem(412, 'revision_conflict', { errors, request_id: 'request-1', current_version: 4 }),
      )) as RevisionConflictError;
      expect(error).toMatchObject({
        status: 412,
        code: 'revision_conflict',
        errors,
        requestId: 'request-1',
        currentRevision: 4,
        retryAfterMs: undefined,
        message: 'Refused (revision_conflict). Change it.\nbody.content: Send a text.',
      });
    });

    it('have the time after which to send again', async () => {
      const error = await fail(problem(429, 'rate_limited', {}, { 'retry-after': '90' }));
      expect(error).toMatchObject({ name: 'RateLimitedError', retryAfterMs: 90_000 });
      expect(api.requests).toHaveLength(1);
    });

    it('say that another server answered', async () => {
      const page: Reply = (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
      const error = await fail(page);
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ status: 404, message: expect.stringMatching(/GET \/v1\/usage.*baseUrl[^]*nginx/) });
      expect(await fail((response) => response.end('<html>'))).toMatchObject({
        name: 'UnexpectedResponseError',
        status: 200,
      });
    });

    it('name the request and the cause when there is no answer', async () => {
      const error = await fail(hangUp, { ...READ, options: { maxRetries: 0 } });
      expect(error).toBeInstanceOf(ConnectionError);
      expect((error as Error).message).toMatch(/^GET \/v1\/usage: \S/);
      expect((error as Error).cause).toBeInstanceOf(Error);
    });

    it('are none for a status that is an answer', async () => {
      api.reply(json({ status: 'failed' }, 503));
      expect(await transport.json({ ...READ, answers: [503] })).toEqual({ status: 'failed' });
      expect(api.requests).toHaveLength(1);
    });
  });

  describe('aborting', () => {
    it('ends a request that is under way', async () => {
      const leaving = new AbortController();
      const error = await fail(() => leaving.abort(new Error('the user left')), {
        ...WRITE,
        options: { signal: leaving.signal },
      });
      expect(error).toBeInstanceOf(AbortError);
      expect(error).toMatchObject({ name: 'AbortError', cause: { message: 'the user left' } });
      expect(api.requests).toHaveLength(1);
    });

    it('sends nothing when it came before', async () => {
      const error = await fail(json({}), { ...READ, options: { signal: AbortSignal.abort() } });
      expect(error).toBeInstanceOf(AbortError);
      expect(api.requests).toEqual([]);
    });

    it('ends the wait for a retry', async () => {
      const leaving = new AbortController();
      // A real wait, of a minute.
      transport = new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1' }), SYSTEM);
      const error = await fail(
        (response, request) => {
          response.once('finish', () => setImmediate(() => leaving.abort()));
          problem(429, 'rate_limited', {}, { 'retry-after': '60' })(response, request);
        },
        { ...READ, options: { signal: leaving.signal } },
      );
      expect(error).toBeInstanceOf(AbortError);
    });
  });

  it('ends an attempt after timeoutMs, and names it', async () => {
    transport = new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1' }), SYSTEM);
    const error = await fail(silence, { ...READ, options: { timeoutMs: 20, maxRetries: 0 } });
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe('GET /v1/usage: no answer within 20 ms (timeoutMs).');
  });
});

describe('readOptions', () => {
  it.each([
    [{ baseUrl: '', apiKey: 'ann_1' }, /baseUrl/],
    [{ baseUrl: 'localhost:8080', apiKey: 'ann_1' }, /baseUrl/],
    [{ baseUrl: 'ftp://localhost', apiKey: 'ann_1' }, /baseUrl/],
    [{ baseUrl: 'http://localhost', apiKey: '' }, /apiKey/],
    [{ baseUrl: 'http://localhost', apiKey: undefined }, /apiKey/],
  ])('refuses %o with the name of what is wrong', (options, message) => {
    expect(() => readOptions(options)).toThrow(message);
  });

  it('sends through the fetch that is given', async () => {
    const fetched: string[] = [];
    const fetch = (url: unknown) => {
      fetched.push(String(url));
      return Promise.resolve(Response.json({}));
    };
    const settings = readOptions({
      baseUrl: 'http://annals.test//',
      apiKey: 'ann_1',
      fetch,
    });
    await new Transport(settings, SYSTEM).json(READ);
    expect(fetched).toEqual(['http://annals.test/v1/usage']);
  });
});
