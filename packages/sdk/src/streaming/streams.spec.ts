import { AbortError, ConnectionError, NotFoundError, TimeoutError } from '../index.js';
import { createDrivenSystem, type DrivenSystem, TIME_LIMIT_MS } from '../fixtures/driven-system.fixture.js';
import { hangUp, problem, type Reply, startApi, stream, type TestApi } from '../fixtures/start-api.fixture.js';
import type { Call } from '../http/call.js';
import { readOptions } from '../http/options.js';
import { Transport } from '../http/transport.js';
import type { System } from '../system.js';

const EVENTS: Call = { method: 'GET', path: '/v1/batches/{id}/events', params: { id: 'b' } };
const LINES: Call = { method: 'GET', path: '/v1/users/{user_id}/export', params: { user_id: 'u' } };

const eventText = (id: number) => `event: status\nid: ${id}\ndata: {"step":${id}}\n\n`;
const events = (ids: readonly number[], options = {}) => stream('text/event-stream', ids.map(eventText), options);
const STAYS = { stays: true };
const nothingMore: Reply = (response) => response.writeHead(204).end();

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (system: System) =>
  new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1', timeoutMs: TIME_LIMIT_MS }), system);

/** Reads a stream to its end; of one that fails, the items before the error. The connection is lost after some numbers of items. */
async function read<Item>(
  source: AsyncIterable<Item>,
  { lostAfter = [] }: { lostAfter?: readonly number[] } = {},
): Promise<{ items: Item[]; error?: unknown }> {
  const items: Item[] = [];
  try {
    for await (const item of source) {
      items.push(item);
      if (lostAfter.includes(items.length)) api.cut();
    }
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
  const steps = async (call = EVENTS, options = {}) => {
    const { items, error } = await read(transport.events<{ step: number }>(call), options);
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
    api.reply(events([1, 2], STAYS), events([3], STAYS), events([4]), nothingMore);
    expect(await steps(EVENTS, { lostAfter: [2, 3] })).toEqual({ steps: [1, 2, 3, 4] });
    expect(positions()).toEqual([undefined, '2', '3', '4']);
    expect(system.waits).toEqual([250, 250]);
  });

  it('end with the error when no connection can be made again', async () => {
    api.reply(events([1], STAYS), hangUp);
    const { steps: seen, error } = await steps(EVENTS, { lostAfter: [1] });
    expect(seen).toEqual([1]);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(api.requests).toHaveLength(5);
  });

  it('end when the server ends the stream again and again without an event', async () => {
    api.reply(events([1]), events([]));
    expect(await steps()).toEqual({ steps: [1] });
    expect(system.waits).toEqual([500, 1_000]);
  });

  it('end with the problem when there is nothing left to follow', async () => {
    api.reply(events([1]), problem(404, 'not_found'));
    expect(await steps()).toEqual({ steps: [1], error: expect.any(NotFoundError) });
  });

  it('are read once by a request that is no GET', async () => {
    const post: Call = { ...EVENTS, method: 'POST', body: {}, idempotent: true };
    api.reply(events([1]));
    expect(await steps(post)).toEqual({ steps: [1] });
    api.reply(events([1], STAYS));
    expect(await steps(post, { lostAfter: [1] })).toEqual({
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
    api.reply(events([1], STAYS));
    const source = transport.events({ ...EVENTS, options: { signal: leaving.signal } });
    expect((await source.next()).value).toMatchObject({ id: '1' });
    leaving.abort();
    await expect(source.next()).rejects.toBeInstanceOf(AbortError);
  });

  it('close the connection when the caller leaves the loop', async () => {
    const closed = Promise.withResolvers<void>();
    api.reply((response, request) => {
      response.once('close', () => closed.resolve());
      events([1], STAYS)(response, request);
    });
    for await (const event of transport.events(EVENTS)) if (event.id === '1') break;
    await closed.promise;
  });

  it('end with a TimeoutError when the server is silent for timeoutMs', async () => {
    api.reply(events([1], STAYS));
    const source = transport.events({ ...EVENTS, options: { maxRetries: 0 } });
    expect((await source.next()).value).toMatchObject({ id: '1' });
    const next = source.next();
    await system.expireLimits();
    await expect(next).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe('lines of JSON', () => {
  const NDJSON = 'application/x-ndjson';
  const lines = (options = {}) => read(create(createDrivenSystem()).lines<{ kind: string }>(LINES), options);

  it('are read however they are cut, until the one that says that they are all', async () => {
    api.reply(
      stream(NDJSON, ['{"kind":"mani', 'fest"}\n{"kind":"memory","data":{"text":"Grü', 'ße"}}\n{"kind":"end"}\n']),
    );
    expect(await lines()).toEqual({
      items: [{ kind: 'manifest' }, { kind: 'memory', data: { text: 'Grüße' } }, { kind: 'end' }],
    });
  });

  it.each([
    ['ends', {}, []],
    ['is lost', STAYS, [1]],
  ])('are an error when the connection %s before that line', async (_how, options, lostAfter) => {
    api.reply(stream(NDJSON, ['{"kind":"manifest"}\n{"kind":"mem'], options));
    const { items, error } = await lines({ lostAfter });
    expect(items).toEqual([{ kind: 'manifest' }]);
    expect(error).toBeInstanceOf(ConnectionError);
  });
});
