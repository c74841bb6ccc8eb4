import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type PrivateServersSystem,
  LoadGenerator,
  makePost,
  sized,
  startOnPrivateServers,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { Redis } from 'ioredis';
import { formatSeconds, reportFigure } from './report.js';

describe('Redis under load', () => {
  let system: PrivateServersSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnPrivateServers({ env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const flush = async () => {
    const redis = new Redis(system.redis.url);
    await redis.flushall();
    redis.disconnect();
  };

  it.each<[string, number, () => Promise<void>]>([
    ['flushed', 11, flush],
    ...sized<[string, number, () => Promise<void>][]>([], [['restarted and empty', 12, () => system.redis.restart()]]),
    ['killed and empty', 13, () => system.redis.kill9().then(() => system.redis.restart())],
  ])('loses nothing when it is %s (seed %d)', async (what, seed, injectFault) => {
    const load = new LoadGenerator(client, { seed, name: `load${seed}`, callers: 6, pauseMs: sized(60, 20) });
    for (let time = 0; time < 3; time += 1) {
      const enough = load.posts + sized(20, 40);
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      await injectFault();
    }
    const faultEndedMs = performance.now();
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    const recoveryMs = performance.now() - faultEndedMs;
    await system.inspect((query) => assertNothingLostOrDuplicated(query, expected));
    reportFigure(
      `T9 Redis ${what}, 3 times, ${expected.batchIds.length} batches`,
      `all done after ${formatSeconds(recoveryMs)}`,
    );
  });

  it('loses no work about users when it is flushed', async () => {
    const users = 60;
    await system.inspect(async (query) => {
      const count = async (sql: string) => (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`))[0]!.n;
      const countVectors = () => count(`memory_embeddings WHERE user_id LIKE 'late-%'`);
      await query(
        `INSERT INTO users (tenant_id, user_id, created_at)
         SELECT t.tenant_id, 'late-' || n, now() FROM tenants t, generate_series(1, $1::int) n WHERE t.name = 'default'`,
        [users],
      );
      await query(
        `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state,
                               origin, importance, confidence, valid_from, recorded_at, updated_at)
         SELECT tenant_id, gen_random_uuid(), user_id, 'profile', 'semantic', 'The user is ' || user_id, user_id, '1',
                'active', 'manual', 3, 0.8, now(), now(), now() FROM users WHERE user_id LIKE 'late-%'`,
      );
      // Holds every run before its first vector, so that all of the work is in Redis when that is flushed.
      await query('BEGIN');
      await query('LOCK TABLE memory_embeddings IN SHARE MODE');
      await system.inspect((other) =>
        other(`UPDATE maintenance_jobs SET due_at = now() WHERE name = 'memory_vectors'`),
      );
      const inFlight = `work WHERE kind = 'vectors' AND released_at IS NOT NULL`;
      await waitUntil(async () => (await count(inFlight)) === users, { describe: 'all of the work is in flight' });
      await flush();
      expect(await count(inFlight)).toBe(users);
      expect(await countVectors()).toBe(0);
      await query('COMMIT');
      await waitUntil(async () => (await countVectors()) === users, { describe: 'all memories have vectors' });
      await waitUntil(async () => (await count(`work WHERE kind = 'vectors'`)) === 0, {
        describe: 'the work has ended',
      });
    });
  });

  it('is not required to accept posts, to answer queries, or for the readiness of the gateway', async () => {
    const known = await client.must('postConversation', {
      body: { ...makePost([1], { userId: 'away', threadId: 'before' }), flush: true },
    });
    await waitUntilDone(client, known.batch_ids, { explain });
    await system.redis.kill9();
    const accepted: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const body = { ...makePost([10 + turn], { userId: 'away', threadId: `t${turn}` }), flush: true };
      const answer = await client.call('postConversation', { body });
      expect(answer.status).toBe(202);
      if (answer.ok) accepted.push(...answer.body.batch_ids);
    }
    const answer = await client.must('queryMemory', { body: { query: 'item 1', filters: { user_id: 'away' } } });
    expect(answer.memories[0]).not.toMatchObject({ type: 'turn' });
    // Besides the stored memories: messages since then, whose extraction waits for Redis.
    expect(answer.memories.filter(({ type }) => type !== 'turn')).toHaveLength(1);
    const gateway = new ApiClient(system.gateways[0]!.url, null);
    expect((await gateway.send('GET', '/health/ready')).status).toBe(200);
    const worker = new ApiClient(system.extractions[0]!.url, null);
    await waitUntil(async () => (await worker.send('GET', '/health/ready')).status === 503, {
      describe: 'a worker without Redis is not ready',
    });
    await system.redis.restart();
    await waitUntilDone(client, accepted, { explain });
    await Promise.all(system.processes.map((process) => process.waitReady()));
  });
});
