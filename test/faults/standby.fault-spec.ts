import {
  ApiClient,
  APP_PASSWORD,
  APP_ROLE,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  inspectDatabase,
  isSoak,
  LoadGenerator,
  makePost,
  type PrivateServer,
  startDistributed,
  startPrivatePostgres,
  startPrivateRedis,
  startTcpProxy,
  type TcpProxy,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { documentedBlock } from '../documented-blocks.js';
import { expectNoAttemptUsed } from './expect-no-attempt-used.js';
import { formatSeconds, reportFigure } from './report.js';

const COPY_PRIMARY = `rm -rf "$DATA"/* && pg_basebackup -D "$DATA" -h 127.0.0.1 -p "$PRIMARY" -U postgres -R -X stream`;

describe.runIf(isSoak)('a synchronous standby that takes over from a primary that was killed', () => {
  let primary: PrivateServer;
  let standby: PrivateServer;
  let redis: PrivateServer;
  let proxy: TcpProxy;
  let system: DistributedSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  const on = <T extends object>(server: PrivateServer, sql: string) =>
    inspectDatabase({ connectionString: server.url }, (query) => query<T>(sql));

  const isSynchronous = async () =>
    (await on(primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1;

  beforeAll(async () => {
    [primary, standby, redis] = await Promise.all([
      startPrivatePostgres(),
      startPrivatePostgres(),
      startPrivateRedis(),
    ]);
    await standby.kill9();
    const copied = await standby.shell(COPY_PRIMARY, { PRIMARY: `${primary.port}` });
    if (copied.status !== 0) throw new Error(`The standby was not made:\n${copied.output}`);
    await standby.restart();
    for (const statement of documentedBlock('day-two.md', 'sql', 'standby').split(';')) {
      if (statement.trim()) await on(primary, statement);
    }
    await waitUntil(isSynchronous, { describe: 'the standby is synchronous' });
    proxy = await startTcpProxy(primary.url);
    const url = Object.assign(new URL(proxy.through(primary.url)), { username: APP_ROLE, password: APP_PASSWORD });
    system = await startDistributed({
      adminDatabaseUrl: proxy.through(primary.url),
      databaseUrl: url.href,
      appPassword: APP_PASSWORD,
      redisUrl: redis.url,
      queuePrefix: 'annals',
      gateways: 2,
      env: { ANNALS_LOG_LEVEL: 'info', ANNALS_DB_REQUEST_TIMEOUT_MS: '1000' },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    await proxy?.close();
    await Promise.all([primary, standby, redis].map((server) => server?.stop()));
  });

  it('makes posts wait while it is away, and what is sent again meanwhile is stored once', async () => {
    await standby.kill9();
    const body = { ...makePost([1], { userId: 'waiting', threadId: 'alone' }), flush: true };
    const refused = await client.call('postConversation', { body });
    expect([refused.ok, refused.status]).toEqual([false, 503]);
    await standby.restart();
    const accepted = await waitUntil(
      async () => {
        const answer = await client.call('postConversation', { body });
        return answer.ok ? answer.body : undefined;
      },
      { describe: 'the API accepts again' },
    );
    await waitUntilDone(client, accepted.batch_ids, { explain });
    const stored = `SELECT FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.user_id = 'waiting'`;
    expect(await system.inspect((query) => query(stored))).toHaveLength(1);
    await waitUntil(isSynchronous, { describe: 'the standby is synchronous again' });
  });

  it('has all that was accepted, once, and no job has used an attempt for the outage', async () => {
    const load = new LoadGenerator(client, { seed: 47, callers: 6, pauseMs: 20 });
    await waitUntil(() => load.posts >= 60, { describe: 'the load is running' });
    await primary.kill9();
    const killedMs = performance.now();
    const refusedBefore = load.retries;
    await waitUntil(() => load.retries > refusedBefore + 20, { describe: 'requests are refused' });
    expect(await on(standby, 'SELECT pg_promote() AS promoted')).toEqual([{ promoted: true }]);
    proxy.leadTo(standby.url);
    const atSwitch = load.posts;
    await waitUntil(() => load.posts > atSwitch, { describe: 'the API accepts again' });
    const outageMs = performance.now() - killedMs;
    await waitUntil(() => load.posts >= atSwitch + 60, { describe: 'the load goes on' });
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    await system.inspect((query) => assertNothingLostOrDuplicated(query, { ...expected, batchIds: load.batchIds }));
    await expectNoAttemptUsed(system);
    await Promise.all(system.processes.map((process) => process.waitReady()));
    reportFigure(
      `primary killed, standby promoted, ${expected.batchIds.length} batches, ${load.retries} requests refused`,
      `accepted again ${formatSeconds(outageMs)} after the kill, no attempt used`,
    );
  });
});
