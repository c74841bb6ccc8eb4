import { once } from 'node:events';
import { hangUp, json, problem, type Reply, startApi, stream, type TestApi } from '../../fixtures/start-api.fixture.js';
import { readOptions } from '../../http/options.js';
import { Bridge } from './bridge.js';

const EVENTS = 'text/event-stream';

const call = (id: number, rest: object = {}) => ({ jsonrpc: '2.0', id, method: 'tools/list', ...rest });
const result = (id: number, rest: object = {}) => ({ jsonrpc: '2.0', id, result: { ...rest } });
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const refused = (id: number | null, message: unknown, code = -32_000) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

describe('Bridge', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  function create({ path = '', fetch }: { path?: string; fetch?: typeof globalThis.fetch } = {}) {
    const sent: object[] = [];
    const options = { baseUrl: api.url + path, apiKey: 'ann_1', ...(fetch && { fetch }) };
    const bridge = new Bridge(readOptions(options), (message) => sent.push(message));
    return {
      bridge,
      sent,
      /** Resolves when the message was answered. */
      handle: (message: object) => bridge.handle(JSON.stringify(message)),
    };
  }

  it('sends a message as it is, with the key, below the path of the URL', async () => {
    api.reply(json(result(1)));
    const { bridge, sent } = create({ path: '/annals/' });
    const line = '{"jsonrpc":"2.0", "id":1, "method":"tools/list", "params":{"big":12345678901234567890}}';
    await bridge.handle(line);
    expect(sent).toEqual([result(1)]);
    expect(api.requests).toMatchObject([
      { method: 'POST', url: '/annals/mcp', body: line, headers: { authorization: 'Bearer ann_1' } },
    ]);
  });

  it('passes on each message of an event stream, however it is cut', async () => {
    const text = `\uFEFF: heartbeat\n\nevent: message\ndata:\n\n${event(progress)}${event(result(1, { text: 'Grüße' }))}`;
    api.reply(stream(EVENTS, [text.slice(0, 40), text.slice(40, 90), text.slice(90)]));
    const { handle, sent } = create();
    await handle(call(1));
    expect(sent).toEqual([progress, result(1, { text: 'Grüße' })]);
  });

  it('repeats in headers what a message of revision 2026-07-28 says', async () => {
    api.reply(json(result(1)));
    const { handle } = create();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await handle(call(1, { method: 'tools/call', params: { _meta, name: 'memory_query' } }));
    await handle(call(2, { method: 'resources/read', params: { _meta, uri: 'annals://grüße' } }));
    expect(api.requests.map(({ headers }) => headers)).toMatchObject([
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'memory_query' },
      { 'mcp-method': 'resources/read', 'mcp-name': '=?base64?YW5uYWxzOi8vZ3LDvMOfZQ==?=' },
    ]);
  });

  it('names the revision that an older client has agreed on from then on', async () => {
    api.reply(json(result(1, { protocolVersion: '2025-06-18' })), json(result(2)));
    const { handle } = create();
    await handle(call(1, { method: 'initialize' }));
    await handle(call(2));
    expect(api.requests.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([undefined, '2025-06-18']);
  });

  it.each<[string, Reply, string]>([
    ['a refusal', problem(429, 'rate_limited', { detail: 'Wait a minute.' }), 'Wait a minute.'],
    ['no answer', hangUp, 'check ANNALS_URL'],
    [
      'a page of another server',
      stream('text/html', ['<html>']),
      'not one of Annals (200, text/html): check ANNALS_URL',
    ],
    ['JSON of another server', json({ error: 'no such path' }, 404), 'not one of Annals (404, application/json)'],
    ['nothing', (response) => response.writeHead(200).end(), 'not one of Annals (200, no content type)'],
    ['a stream that ends early', stream(EVENTS, []), 'ended the connection without an answer'],
    ['an answer that is cut off', stream('application/json', ['{"jsonrpc"']), 'was lost before the answer'],
  ])('tells the client about %s', async (_what, reply, sentence) => {
    api.reply(reply);
    const { handle, sent } = create();
    await handle(call(1));
    expect(sent).toEqual([refused(1, expect.stringContaining(sentence))]);
  });

  it.each<[string, Error, string]>([
    ['an expired certificate', new Error('certificate has expired'), 'POST /mcp: certificate has expired'],
    ['an unknown name', new Error('getaddrinfo ENOTFOUND memory.example.com'), 'ENOTFOUND memory.example.com'],
    ['several addresses', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ])('tells the client why Annals cannot be reached: %s', async (_what, cause, why) => {
    const { handle, sent } = create({ fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
    await handle(call(1));
    const [{ error }] = sent as [{ error: { message: string } }];
    expect(error.message).toContain(`cannot be reached at ${api.url} (`);
    expect(error.message).toContain(`${why}): check ANNALS_URL`);
  });

  it.each<[string, object, object[]]>([
    ['before the answer', progress, [progress, refused(1, expect.stringContaining('was lost before the answer'))]],
    ['after the answer', result(1), [result(1)]],
  ])('answers once when a stream breaks off %s', async (_when, message, expected) => {
    api.reply(stream(EVENTS, [event(message)], { stays: true }));
    const sent: object[] = [];
    const bridge = new Bridge(readOptions({ baseUrl: api.url, apiKey: 'ann_1' }), (answer) => {
      sent.push(answer);
      api.cut();
    });
    await bridge.handle(JSON.stringify(call(1)));
    expect(sent).toEqual(expected);
  });

  it('answers nothing to a notification, also when it was refused', async () => {
    api.reply(problem(401, 'unauthenticated'), (response) => response.writeHead(202).end());
    const { handle, sent } = create();
    for (let times = 0; times < 2; times++) await handle({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(sent).toEqual([]);
  });

  it.each(['no json', '{"jsonrpc"', '7', 'null'])('says that a line is no message: %s', async (line) => {
    const { bridge, sent } = create();
    await bridge.handle(line);
    expect(sent).toEqual([refused(null, 'The message is no JSON.', -32_700)]);
  });

  it('passes on several messages at once, as some clients of 2025-03-26 send them', async () => {
    api.reply(json([result(1), result(2)]));
    const { handle, sent } = create();
    await handle([call(1), call(2)]);
    expect(sent).toEqual([[result(1), result(2)]]);
  });

  it('answers each request of several messages when they fail together', async () => {
    api.reply(hangUp);
    const { handle, sent } = create();
    await handle([call(1), progress, 7, null, result(9), call(2)] as object);
    const failure = expect.stringContaining('check ANNALS_URL');
    expect(sent).toEqual([refused(1, failure), refused(2, failure)]);
  });

  it('answers what is left of several messages when the connection breaks off', async () => {
    api.reply(stream(EVENTS, [event(result(2))]));
    const { handle, sent } = create();
    await handle([call(1), call(2)]);
    expect(sent).toEqual([result(2), refused(1, expect.stringContaining('without an answer'))]);
  });

  it('closes the connection of several messages once the client has cancelled each request', async () => {
    const asked = Promise.withResolvers<() => void>();
    api.reply((response, request) => asked.resolve(() => hangUp(response, request)));
    const { handle, sent } = create();
    const cancel = (requestId: number) =>
      handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    const first = handle([call(1), call(2)]);
    const breakOff = await asked.promise;
    await cancel(1);
    breakOff();
    await first;
    expect(sent).toEqual([refused(2, expect.any(String))]);

    const askedAgain = Promise.withResolvers<void>();
    api.reply(() => askedAgain.resolve());
    const second = handle([call(3), call(4)]);
    await askedAgain.promise;
    await cancel(3);
    await cancel(4);
    await second;
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['lost', hangUp],
    ['refused', problem(401, 'unauthenticated')],
  ])('sends no error for a response of the client that is %s', async (_what, reply) => {
    api.reply(reply);
    const { handle, sent } = create();
    await handle(result(9));
    expect(sent).toEqual([]);
    expect(api.requests).toMatchObject([{ body: JSON.stringify(result(9)) }]);
  });

  it.each([{ id: null }, {}])('puts the id of the request into an error that has %j of its own', async (id) => {
    const error = { code: -32_600, message: 'Invalid Request' };
    api.reply(json({ jsonrpc: '2.0', ...id, error }, 400));
    const { handle, sent } = create();
    await handle(call(1));
    expect(sent).toEqual([refused(1, error.message, error.code)]);
  });

  it('ends subscriptions with the client, and answers what else it has asked for', async () => {
    const subscribed = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<() => void>();
    api.reply((response, request) => {
      if (JSON.parse(request.body).method !== 'subscriptions/listen')
        return asked.resolve(() => json(result(2))(response, request));
      void once(response, 'close').then(() => closed.resolve());
      stream(EVENTS, [event(progress)], { stays: true })(response, request);
      subscribed.resolve();
    });
    const { bridge, handle, sent } = create();
    const both = [handle(call(1, { method: 'subscriptions/listen' })), handle(call(2))];
    await subscribed.promise;
    const answer = await asked.promise;
    bridge.end();
    await closed.promise;
    answer();
    await Promise.all(both);
    expect(sent.at(-1)).toEqual(result(2));
    expect(sent).not.toContainEqual(expect.objectContaining({ id: 1 }));
  });

  it('closes the connection of a request that the client cancels, and answers nothing to it', async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    api.reply((response) => {
      void once(response, 'close').then(() => closed.resolve());
      asked.resolve();
    });
    const { handle, sent } = create();
    const request = handle(call(1));
    await asked.promise;
    await handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await Promise.all([request, closed.promise]);
    expect(sent).toEqual([]);
  });
});
