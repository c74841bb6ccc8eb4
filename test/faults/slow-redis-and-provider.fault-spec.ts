import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type FakeModels,
  LoadGenerator,
  makePost,
  type ProxiedSystem,
  startBehindProxies,
  startFakeModels,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { chooseFakeModels } from './model-variables.js';

/** Longer than a fast answer takes on a busy machine; each slow call costs the spec this long. */
const TIMEOUT_MS = 5_000;

describe('Redis that hangs, and a provider that is slow', () => {
  let models: FakeModels;
  let system: ProxiedSystem;
  let client: ApiClient;
  let posted = 0;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    models = await startFakeModels();
    system = await startBehindProxies({
      env: chooseFakeModels(models, {
        MEMORY_LLM_TIMEOUT_MS: `${TIMEOUT_MS}`,
        MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '5',
      }),
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterEach(() => {
    system.proxies.redis.thaw();
    models.behave(undefined);
  });
  afterAll(async () => {
    await system?.close();
    await models?.close();
  });

  const post = async () => {
    posted += 1;
    const body = { ...makePost([posted], { userId: 'ada', threadId: `t${posted}` }), flush: true };
    return (await client.must('postConversation', { body })).batch_ids;
  };
  const readHealth = (url: string, path: '/health/live' | '/health/ready') =>
    new ApiClient(url, null).send('GET', path).then(({ status }) => status);
  const workers = () => [...system.extractions, ...system.persistences];

  it('accepts posts and answers queries while Redis hangs, and works on when it answers again', async () => {
    await waitUntilDone(client, await post(), { explain });
    system.proxies.redis.freeze();
    const accepted = (await Promise.all(Array.from({ length: 20 }, post))).flat();
    await client.must('queryMemory', { body: { query: 'item 1', filters: { user_id: 'ada' } } });
    expect(await readHealth(system.gateways[0]!.url, '/health/ready')).toBe(200);
    for (const { url } of workers()) {
      expect(await readHealth(url, '/health/live')).toBe(200);
      expect(await readHealth(url, '/health/ready')).toBe(503);
    }
    system.proxies.redis.thaw();
    await waitUntilDone(client, accepted, { explain });
    await Promise.all(system.processes.map((process) => process.waitReady()));
  });

  it('opens new connections to Redis when those that it has go silent for good', async () => {
    system.proxies.redis.strand();
    await waitUntilDone(client, await post(), { explain });
    await Promise.all(system.processes.map((process) => process.waitReady()));
  });

  it('opens new connections to PostgreSQL when those that it has go silent for good', async () => {
    system.proxies.postgres.strand();
    const accepted = await waitUntil(post, { describe: 'a post is accepted' });
    await waitUntilDone(client, accepted, { explain });
  });

  it('ends calls of a provider that sends a character now and then, and asks the next one', async () => {
    // Each piece comes long before the timeout, and the answer would take minutes.
    models.behave(({ api }) => (api === 'anthropic' ? { kind: 'answer', everyMs: 250, pieceLength: 1 } : undefined));
    const load = new LoadGenerator(client, { seed: 61, name: 'drip', callers: 4, pauseMs: 20 });
    await waitUntil(() => load.posts >= 12, { describe: 'posts are accepted' });
    await Promise.all(system.processes.map((process) => process.waitReady()));
    const expected = await load.stop();
    const batches = await waitUntilDone(client, expected.batchIds, { explain });
    expect(new Set(batches.map(({ provider }) => provider))).toEqual(new Set(['openai']));
    await system.inspect(async (query) => {
      const all = (await query<{ id: string }>('SELECT id FROM batches')).map(({ id }) => id);
      await assertNothingLostOrDuplicated(query, { batchIds: all, contents: expected.contents });
    });
  });

  it('shuts down in time while Redis hangs, and does what it accepted after the next start', async () => {
    system.proxies.redis.freeze();
    const accepted = await post();
    const codes = await Promise.all(system.processes.map((process) => process.stop()));
    system.proxies.redis.thaw();
    expect(codes).toEqual(system.processes.map(() => 0));
    await Promise.all(system.processes.map((process) => process.start()));
    await waitUntilDone(client, accepted, { explain });
  });
});
