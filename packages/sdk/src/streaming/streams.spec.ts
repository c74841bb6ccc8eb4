import { AbortError, ConnectionError, NotFoundError, TimeoutError } from '../index.js';
import { createDrivenSystem, type DrivenSystem, TIME_LIMIT_MS } from '../fixtures/driven-system.fixture.js';
import { problem, type Reply, startApi, stream, type TestApi } from '../fixtures/start-api.fixture.js';
import type { Call } from '../http/call.js';
import { readOptions } from '../http/options.js';
import { Transport } from '../http/transport.js';
import type { System } from '../system.js';

const EVENTS: Call = { method: 'GET', path: '/v1/batches/{id}/events', params: { id: 'b' } };
const LINES: Call = { method: 'GET', path: '/v1/users/{user_id}/export', params: { user_id: 'u' } };

const eventText = (id: number) => `event: status\nid: ${id}\ndata: {"step":${id}}\n\n`;
const events = (ids: readonly number[], end: 'end' | 'cut' | 'stay' = 'end') =>
  stream('text/event-stream', ids.map(eventText), end);
const nothingMore: Reply = (response) => response.writeHead(204).end();

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (system: System) =>
  new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1', timeoutMs: TIME_LIMIT_MS }), system);

/** Reads a stream to its end; of one that fails, the items before the error. */
async function read<Item>(source: AsyncIterable<Item>): Promise<{ items: Item[]; error?: unknown }> {
  const items: Item[] = [];
  try {
    for await (const item of source) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items };
}

describe('server-sent events', () => {
  let system: DrivenSystem;
  let transport: Transport;
  beforeEach(() => {
    system = createDrivenSystem();
    transport = create(system);
  });
  const steps = async (call = EVENTS) => {
    const { items, error } = await read(transport.events<{ step: number }>(call));
    return { steps: items.map(({ data }) => data.step), error };
  };
  const positions = () => api.requests.map(({ headers }) => headers['last-event-id']);

  it('are read until the server has nothing more, with name, id and data', async () => {
    api.reply(events([1, 2]), nothingMore);
    expect((await read(transport.events(EVENTS))).items).toEqual([
      { event: 'status', id: '1', data: { step: 1 } },
      { event: 'status', id: '2', data: { step: 2 } },
    ]);
    expect(positions()).toEqual([undefined, '2']);
    expect(system.waits).toEqual([]);
  });

  it('go on after a lost connection, from the last one that arrived', async () => {
    api.reply(events([1, 2], 'cut'), events([3], 'cut'), events([4]), nothingMore);
    expect(await steps()).toEqual({ steps: [1, 2, 3, 4] });
    expect(positions()).toEqual([undefined, '2', '3', '4']);
    expect(system.waits).toEqual([250, 250]);
  });

  it('end with the error when the connection is lost again and again', async () => {
    api.reply(events([1], 'cut'), events([], 'cut'));
    const { steps: seen, error } = await steps();
    expect(seen).toEqual([1]);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(api.requests).toHaveLength(4);
  });

  it('end with the problem when there is nothing left to follow', async () => {
    api.reply(events([1]), problem(404, 'not_found'));
    expect(await steps()).toEqual({ steps: [1], error: expect.any(NotFoundError) });
  });

  it('are read once by a request that must not be repeated', async () => {
    api.reply(events([1]));
    expect(await steps({ ...EVENTS, method: 'POST', body: {} })).toEqual({ steps: [1] });
    api.reply(events([1], 'cut'));
    expect(await steps({ ...EVENTS, method: 'POST', body: {} })).toEqual({
      steps: [1],
      error: expect.any(ConnectionError),
    });
    expect(api.requests).toHaveLength(1);
  });

  it('are text when they are no JSON', async () => {
    api.reply(stream('text/event-stream', ['data: [DONE]\n\n']), nothingMore);
    expect((await read(transport.events(EVENTS))).items).toMatchObject([{ data: '[DONE]' }]);
  });

  it('end with an AbortError when the caller aborts in the middle', async () => {
    const leaving = new AbortController();
    api.reply(events([1], 'stay'));
    const source = transport.events({ ...EVENTS, options: { signal: leaving.signal } });
    expect((await source.next()).value).toMatchObject({ id: '1' });
    leaving.abort();
    await expect(source.next()).rejects.toBeInstanceOf(AbortError);
  });

  it('close the connection when the caller leaves the loop', async () => {
    const closed = Promise.withResolvers<void>();
    api.reply((response, request) => {
      response.once('close', () => closed.resolve());
      events([1], 'stay')(response, request);
    });
    for await (const event of transport.events(EVENTS)) if (event.id === '1') break;
    await closed.promise;
  });

  it('end with a TimeoutError when the server is silent for timeoutMs', async () => {
    api.reply(events([1], 'stay'));
    const source = transport.events({ ...EVENTS, options: { maxRetries: 0 } });
    expect((await source.next()).value).toMatchObject({ id: '1' });
    const next = source.next();
    await system.expireLimits();
    await expect(next).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe('lines of JSON', () => {
  const NDJSON = 'application/x-ndjson';
  const lines = (call = LINES) => read(create(createDrivenSystem()).lines<{ kind: string }>(call));

  it('are read however they are cut, until the one that says that they are all', async () => {
    api.reply(
      stream(NDJSON, ['{"kind":"mani', 'fest"}\n{"kind":"memory","data":{"text":"Grü', 'ße"}}\n{"kind":"end"}\n']),
    );
    expect(await lines()).toEqual({
      items: [{ kind: 'manifest' }, { kind: 'memory', data: { text: 'Grüße' } }, { kind: 'end' }],
    });
  });

  it.each(['end', 'cut'] as const)('are an error without that line (%s)', async (end) => {
    api.reply(stream(NDJSON, ['{"kind":"manifest"}\n{"kind":"mem'], end));
    const { items, error } = await lines();
    expect(items).toEqual([{ kind: 'manifest' }]);
    expect(error).toBeInstanceOf(ConnectionError);
  });
});
