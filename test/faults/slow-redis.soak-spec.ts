import {
  ApiClient,
  type FakeModels,
  makePost,
  type ProxiedSystem,
  startBehindProxies,
  startFakeModels,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { chooseFakeModels } from './model-variables.js';

describe('Redis that hangs', () => {
  let models: FakeModels;
  let system: ProxiedSystem;
  let client: ApiClient;
  let posted = 0;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    models = await startFakeModels();
    system = await startBehindProxies({
      env: chooseFakeModels(models, { MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '5' }),
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterEach(() => {
    system.proxies.redis.thaw();
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

  it('shuts down in time while Redis hangs and connections to both stores are stranded, and does later what it accepted', async () => {
    system.proxies.redis.freeze();
    const accepted = await post();
    system.proxies.redis.strand();
    system.proxies.postgres.strand();
    const codes = await Promise.all(system.processes.map((process) => process.stop()));
    system.proxies.redis.thaw();
    expect(codes).toEqual(system.processes.map(() => 0));
    await Promise.all(system.processes.map((process) => process.start()));
    await waitUntilDone(client, accepted, { explain });
  });
});
