import { runDoctor } from '@annals/doctor';
import { SystemClock } from '@annals/domain';
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
  startPrivatePgbouncer,
  startPrivatePostgres,
  startPrivateRedis,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { documentedBlock } from '../documented-blocks.js';
import { expectNoAttemptUsed } from './expect-no-attempt-used.js';

/** Fewer than each of the processes opens to PgBouncer, so that transactions of all of them share connections. */
const SERVER_CONNECTIONS = 4;

describe.runIf(isSoak)('PgBouncer in transaction mode, with the documented settings', () => {
  let postgres: PrivateServer;
  let redis: PrivateServer;
  let pgbouncer: PrivateServer;
  let system: DistributedSystem;
  let client: ApiClient;
  let adminUrl: string;
  const explain = () => system.lastLines;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPrivatePostgres(), startPrivateRedis()]);
    adminUrl = Object.assign(new URL(postgres.url), { pathname: '/annals' }).href;
    await inspectDatabase({ connectionString: postgres.url }, async (query) => {
      await query('CREATE DATABASE annals');
      await query(`CREATE ROLE ${APP_ROLE} LOGIN PASSWORD '${APP_PASSWORD}'`);
      for (const statement of documentedBlock('day-two.md', 'sql', 'pgbouncer').split(';')) {
        if (statement.trim()) await query(statement);
      }
    });
    pgbouncer = await startPrivatePgbouncer({
      settings: documentedBlock('day-two.md', 'ini', 'pgbouncer')
        .replace('host=db.example.com port=5432', `host=127.0.0.1 port=${postgres.port}`)
        .replace(/^default_pool_size = .*$/m, `default_pool_size = ${SERVER_CONNECTIONS}`),
      users: `"${APP_ROLE}" "${APP_PASSWORD}"\n`,
    });
    const pooled = new URL(pgbouncer.url);
    Object.assign(pooled, { username: APP_ROLE, password: APP_PASSWORD, pathname: '/annals' });
    system = await startDistributed({
      adminDatabaseUrl: adminUrl,
      databaseUrl: pooled.href,
      appPassword: APP_PASSWORD,
      redisUrl: redis.url,
      queuePrefix: 'annals',
      gateways: 2,
      env: { ANNALS_DB_PREPARED: 'false', ANNALS_LOG_LEVEL: 'info' },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    await pgbouncer?.stop();
    await Promise.all([postgres?.stop(), redis?.stop()]);
  });

  const readServerConnections = () =>
    inspectDatabase({ connectionString: adminUrl }, (query) =>
      query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE usename = '${APP_ROLE}'`),
    );

  it('carries a conversation to a memory, its query, its history, and the erasure of its user', async () => {
    const body = { ...makePost([1], { userId: 'pooled', threadId: 'one' }), flush: true };
    const { batch_ids } = await client.must('postConversation', { body });
    await waitUntilDone(client, batch_ids, { explain });
    const query = { query: 'item 1', filters: { user_id: 'pooled' } };
    const found = await client.must('queryMemory', { body: query });
    expect(found.memories.filter(({ type }) => type !== 'turn')).toHaveLength(1);
    await client.must('eraseUser', { params: { user_id: 'pooled' } });
    expect((await client.must('queryMemory', { body: query })).memories).toEqual([]);
  });

  it('loses and doubles nothing under load while it is killed, and no job uses an attempt', async () => {
    const load = new LoadGenerator(client, { seed: 43, callers: 6, pauseMs: 20 });
    await waitUntil(() => load.posts >= 60, { describe: 'the load is running' });
    expect((await readServerConnections()).length).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    await pgbouncer.kill9();
    const refusedBefore = load.retries;
    await waitUntil(() => load.retries > refusedBefore + 20, { describe: 'requests are refused' });
    await pgbouncer.restart();
    const enough = load.posts + 60;
    await waitUntil(() => load.posts >= enough, { describe: 'the load goes on' });
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    await system.inspect((query) => assertNothingLostOrDuplicated(query, { ...expected, batchIds: load.batchIds }));
    await expectNoAttemptUsed(system);
    expect(system.logs).not.toMatch(/"event":"(?:job_unexpected_error|unexpected_error|request_failed)"/);
  });

  it('leaves the limits of statements and the search path as they are without it', async () => {
    const settings = await inspectDatabase({ connectionString: system.databaseUrl }, (query) =>
      query(`SELECT current_setting('search_path') AS path, current_setting('jit') AS jit,
                    current_setting('statement_timeout') AS ends_after`),
    );
    expect(settings).toEqual([{ path: 'annals, public', jit: 'off', ends_after: '1min' }]);
  });

  it('is found by the doctor, with the settings that it needs and without', async () => {
    const judge = async (prepared: string) => {
      const { findings } = await runDoctor({
        env: {
          ANNALS_DATABASE_URL: system.databaseUrl,
          ANNALS_REDIS_URL: system.redisUrl,
          ANNALS_SECRET_KEY: 'k'.repeat(32),
          ANNALS_DB_PREPARED: prepared,
        },
        isOffline: true,
        clock: new SystemClock(),
        signal: new AbortController().signal,
        emit: () => undefined,
      });
      return findings.find(({ check }) => check === 'database.pooler')?.verdict;
    };
    expect([await judge('false'), await judge('true')]).toEqual(['ok', 'warn']);
    await inspectDatabase({ connectionString: adminUrl }, (query) =>
      query(`ALTER ROLE ${APP_ROLE} IN DATABASE annals RESET search_path`),
    );
    await pgbouncer.restart();
    expect(await judge('false')).toBe('fail');
  });
});
