import {
  ApiClient,
  assertNothingLostOrDuplicated,
  LoadGenerator,
  makePost,
  type PrivateServersSystem,
  sized,
  startOnPrivateServers,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { expectNoAttemptUsed } from './expect-no-attempt-used.js';
import { formatSeconds, reportFigure } from './report.js';

describe('PostgreSQL that is read-only for a while, as during a failover', () => {
  let system: PrivateServersSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnPrivateServers({ env: { ANNALS_LOG_LEVEL: 'info' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const setReadOnly = (value: 'on' | 'off') =>
    system.inspect(async (query) => {
      await query('SET default_transaction_read_only = off');
      await query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await query('SELECT pg_reload_conf()');
    });
  const readHealth = (url: string) => new ApiClient(url, null).send('GET', '/health/ready');
  const workers = () => [...system.extractions, ...system.persistences];

  it('answers queries, refuses writes with 503 and Retry-After, and says so in its readiness', async () => {
    const known = await client.must('postConversation', {
      body: { ...makePost([1], { userId: 'away', threadId: 'before' }), flush: true },
    });
    await waitUntilDone(client, known.batch_ids, { explain });
    await setReadOnly('on');
    const body = { ...makePost([2], { userId: 'away', threadId: 'during' }), flush: true };
    const refused = await waitUntil(
      async () => {
        const answer = await client.call('postConversation', { body });
        return answer.ok ? undefined : answer;
      },
      { describe: 'the server has read its configuration' },
    );
    expect(refused).toMatchObject({ status: 503, problem: { code: 'unavailable' } });
    expect(refused.problem.detail).toContain('accepts no writes');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    for (let time = 0; time < 3; time += 1) {
      const found = await client.must('queryMemory', { body: { query: 'item 1', filters: { user_id: 'away' } } });
      expect(found.memories.filter(({ type }) => type !== 'turn')).toHaveLength(1);
    }
    const gateway = await readHealth(system.gateways[0]!.url);
    expect([gateway.status, gateway.text]).toEqual([200, expect.stringContaining('PostgreSQL is read-only')]);
    for (const { url } of workers()) expect((await readHealth(url)).status).toBe(503);

    await setReadOnly('off');
    const accepted = await waitUntil(
      async () => {
        const answer = await client.call('postConversation', { body });
        return answer.ok ? answer.body : undefined;
      },
      { describe: 'the API accepts again' },
    );
    await waitUntilDone(client, accepted.batch_ids, { explain });
    await Promise.all(system.processes.map((process) => process.waitReady()));
    // The accesses of the queries were written behind, once that was possible.
    await waitUntil(() => system.inspect(async (query) => (await query(ACCESSED)).length > 0), {
      describe: 'the accesses are recorded',
    });
  });

  it('loses nothing under load, and no job uses an attempt', async () => {
    const load = new LoadGenerator(client, { seed: 41, callers: 6, pauseMs: 20 });
    for (let time = 0; time < sized(2, 3); time += 1) {
      const enough = load.posts + 30;
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      const refusedBefore = load.retries;
      await setReadOnly('on');
      await waitUntil(() => load.retries > refusedBefore + 20, { describe: 'writes are refused' });
      await setReadOnly('off');
    }
    const endedMs = performance.now();
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    const recoveryMs = performance.now() - endedMs;
    await system.inspect((query) => assertNothingLostOrDuplicated(query, { ...expected, batchIds: load.batchIds }));
    await expectNoAttemptUsed(system);
    reportFigure(
      `PostgreSQL read-only under load, ${expected.batchIds.length} batches, ${load.retries} posts refused`,
      `all done after ${formatSeconds(recoveryMs)}, no attempt used`,
    );
  });
});

const ACCESSED = `SELECT FROM memory_access a JOIN memories m ON m.id = a.memory_id WHERE m.user_id = 'away'`;
