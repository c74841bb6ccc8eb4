import { AbortError, BatchFailedError, ConnectionError, NotFoundError, TimeoutError } from '../index.js';
import { createDrivenSystem, type DrivenSystem, TIME_LIMIT_MS } from '../fixtures/driven-system.fixture.js';
import { json, problem, type Reply, startApi, stream, type TestApi } from '../fixtures/start-api.fixture.js';
import { readOptions } from '../http/options.js';
import { Transport } from '../http/transport.js';
import { waitUntilRemembered } from './wait-until-remembered.js';

const batch = (id: string, status: string, rest = {}) => ({ id, status, error: null, ...rest });
const states = (id: string, ...all: string[]): Reply =>
  stream(
    'text/event-stream',
    all.map((status, at) => `event: status\nid: ${at + 1}\ndata: ${JSON.stringify(batch(id, status))}\n\n`),
  );

describe('waitUntilRemembered', () => {
  let api: TestApi;
  let system: DrivenSystem;
  let transport: Transport;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(() => {
    system = createDrivenSystem();
    transport = new Transport(readOptions({ baseUrl: api.url, apiKey: 'ann_1', timeoutMs: TIME_LIMIT_MS }), system);
  });
  const wait = (receipt: Parameters<typeof waitUntilRemembered>[1], options = {}) =>
    waitUntilRemembered(transport, receipt, { timeoutMs: TIME_LIMIT_MS, ...options });
  const paths = () => api.requests.map(({ url }) => url);

  it('returns the batches of a post once all are done', async () => {
    api.reply(states('a', 'queued', 'extracting', 'done'), states('b', 'done'));
    expect(await wait({ batch_ids: ['a', 'b'] })).toEqual([batch('a', 'done'), batch('b', 'done')]);
    expect(paths()).toEqual(['/v1/batches/a/events', '/v1/batches/b/events']);
  });

  it('takes the id of a batch, or several', async () => {
    api.reply(states('a', 'done'));
    expect(await wait('a')).toEqual([batch('a', 'done')]);
    api.reply(states('a', 'done'), states('b', 'done'));
    expect(await wait(['a', 'b'])).toHaveLength(2);
  });

  it('returns at once when a post contained only duplicates', async () => {
    api.reply(json({}));
    expect(await wait({ batch_ids: [] })).toEqual([]);
    expect(paths()).toEqual([]);
  });

  it('throws the batch that failed, and says how to run it again', async () => {
    const failed = batch('a', 'failed', { error: { code: 'timeout', message: 'It took too long.' } });
    api.reply(stream('text/event-stream', [`data: ${JSON.stringify(failed)}\n\n`]));
    const error = await wait('a').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BatchFailedError);
    expect(error).toMatchObject({
      batch: failed,
      message: "Batch a failed (timeout): It took too long. To run it again: annals.batches.replay('a').",
    });
  });

  it('asks from time to time while the server has too many streams', async () => {
    const refused = problem(429, 'rate_limited', {}, { 'retry-after': '5' });
    api.reply(refused, json(batch('a', 'queued')), json(batch('a', 'extracting')), json(batch('a', 'done')));
    expect(await wait('a', { maxRetries: 0 })).toEqual([batch('a', 'done')]);
    expect(paths()).toEqual(['/v1/batches/a/events', ...Array(3).fill('/v1/batches/a')]);
    expect(system.waits).toEqual([250, 500]);
  });

  it('throws a TimeoutError that names the state in which the batch is', async () => {
    api.reply(problem(429, 'rate_limited'), json(batch('a', 'deferred')), () => void system.expireLimits());
    const error = await wait('a', { maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toMatch(/^Waiting for batch a, which is deferred: /);
  });

  it('throws an AbortError when the caller aborts', async () => {
    const leaving = new AbortController();
    api.reply((response, request) => {
      states('a', 'queued')(response, request);
      leaving.abort();
    });
    await expect(wait('a', { signal: leaving.signal })).rejects.toBeInstanceOf(AbortError);
  });

  it('throws when the batch was deleted', async () => {
    api.reply(states('a', 'queued'), problem(404, 'not_found'));
    await expect(wait('a')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('never takes a stream that ends early for success', async () => {
    api.reply(states('a', 'queued'), (response) => response.writeHead(204).end());
    await expect(wait('a')).rejects.toBeInstanceOf(ConnectionError);
  });
});
