import {
  ApiClient,
  APP_PASSWORD,
  APP_ROLE,
  type DistributedSystem,
  findTablesContaining,
  inspectDatabase,
  type PrivateServer,
  runAnnals,
  startDistributed,
  startPrivatePostgres,
  startPrivateRedis,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentedBlock } from '../documented-blocks.js';

const SECRET_KEY = 'a-secret-key-of-the-restored-installation';
const ADA = 'ada-lovelace-1815';
const WORD = 'quixotrium';
const FORGOTTEN = 'velmorphic';
const DELETED = 'zarquinet';

function serviceUrl(url: string): string {
  return Object.assign(new URL(url), { username: APP_ROLE, password: APP_PASSWORD }).href;
}

// Several servers and services, of which the restored ones go on with the data of the others.
describe('a PostgreSQL that is restored', () => {
  let original: PrivateServer;
  let redis: PrivateServer;
  let system: DistributedSystem;
  let client: ApiClient;
  let folder: string;
  let list: string;
  let files: { archive: string; backup: string };
  let targetTime: string;
  const closing: (() => Promise<void>)[] = [];

  const start = (postgres: PrivateServer) =>
    startDistributed({
      adminDatabaseUrl: postgres.url,
      databaseUrl: serviceUrl(postgres.url),
      appPassword: APP_PASSWORD,
      redisUrl: redis.url,
      queuePrefix: 'annals',
      env: { ANNALS_SECRET_KEY: SECRET_KEY },
    });
  async function run(postgres: PrivateServer, name: string, variables: Record<string, string>): Promise<string> {
    const { status, output } = await postgres.shell(documentedBlock('backup.md', 'bash', name), variables);
    if (status !== 0) throw new Error(`The commands "${name}" failed:\n${output}`);
    return output;
  }
  const annals = (url: string, ...args: string[]) =>
    runAnnals(args, { ANNALS_DATABASE_URL: url, ANNALS_SECRET_KEY: SECRET_KEY, ANNALS_REDIS_URL: redis.url });
  const query = <R extends object>(url: string, sql: string) =>
    inspectDatabase({ connectionString: url }, (ask) => ask<R>(sql));
  const tablesWith = (url: string, word: string) =>
    inspectDatabase({ connectionString: url }, (ask) => findTablesContaining(ask, word));
  const say = async (userId: string, content: string, threadId: string) => {
    const body = {
      user_id: userId,
      thread_id: threadId,
      flush: true,
      messages: [{ id: threadId, role: 'user' as const, content, created_at: '2026-05-04T09:12:00Z' }],
    };
    const accepted = await client.must('postConversation', { body });
    await waitUntilDone(client, accepted.batch_ids, { explain: () => system.lastLines });
    return accepted;
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-restore-'));
    list = path.join(folder, 'deletions.ndjson');
    [original, redis] = await Promise.all([startPrivatePostgres(), startPrivateRedis()]);
    closing.push(
      () => original.stop(),
      () => redis.stop(),
    );
    const { output } = await original.shell('mkdir "$FILES/archive" "$FILES/base" "$FILES/dump"; printf %s "$FILES"');
    files = { archive: `${output}/archive`, backup: output };
    await run(original, 'archive', { ADMIN_URL: original.url, ARCHIVE: files.archive });
    await original.restart();
    system = await start(original);
    closing.push(() => system.close());
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);

    await say(ADA, `I play the ${WORD}. I am allergic to peanuts.`, 'ada-1');
    const bob = await say('bob', `I collect ${FORGOTTEN} stones.`, 'bob-1');
    await run(original, 'base-backup', { ADMIN_URL: original.url, BACKUP: `${files.backup}/base` });
    await say('cleo', `My favourite instrument is the ${DELETED}. I live in Porto.`, 'cleo-1');
    await run(original, 'dump', { ADMIN_URL: original.url, BACKUP: `${files.backup}/dump` });
    const [moment] = await query<{ now: string }>(original.url, 'SELECT clock_timestamp()::text AS now');
    targetTime = moment!.now;
    // A commit behind the target, as PostgreSQL stops before the first one that is later.
    await client.must('eraseUser', { params: { user_id: ADA } });
    await client.must('forgetConversation', { params: { id: bob.conversation_id } });
    const { items } = await client.must('listMemories', { query: { user_id: 'cleo' } });
    const memory = items.find(({ content }) => content.includes(DELETED));
    await client.must('deleteMemory', { params: { id: memory!.id } });
    await query(
      original.url,
      `INSERT INTO annals.usage (tenant_id, id, operation, provider, model, input_tokens, output_tokens, cost_micro_usd, estimated, day, ts)
       SELECT tenant_id, gen_random_uuid(), 'extraction', 'claude', 'm', 1, 1, 4711, false, (now() AT TIME ZONE 'UTC')::date, now() FROM annals.tenants`,
    );
    const exported = await annals(serviceUrl(original.url), 'deletions', '--export', list);
    expect(exported).toMatchObject({ code: 0 });
    await query(original.url, 'SELECT pg_switch_wal()');
    await waitUntil(
      async () => {
        const [row] = await query<{ done: boolean }>(
          original.url,
          `SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) AS done FROM pg_stat_archiver`,
        );
        return row?.done === true;
      },
      { describe: 'the log is archived' },
    );
    await system.close();
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true });
  });

  /** What must hold of every restored store, whichever way it came back. */
  async function expectForgotten(url: string): Promise<void> {
    const before = await annals(serviceUrl(url), 'verify');
    expect(before).toMatchObject({ code: 0, output: expect.stringContaining('no inconsistencies found') });
    for (const word of [ADA, WORD, FORGOTTEN]) expect([word, await tablesWith(url, word)]).not.toEqual([word, []]);

    const replayed = await annals(serviceUrl(url), 'deletions', '--replay', list);
    expect(replayed).toMatchObject({ code: 0, output: expect.stringMatching(/user 1 of 1/) });
    expect(replayed.output).toContain('4711 micro-USD');
    for (const word of [ADA, WORD]) expect([word, await tablesWith(url, word)]).toEqual([word, []]);
    expect(await query(url, `SELECT FROM annals.messages WHERE content LIKE '%${FORGOTTEN}%'`)).toEqual([]);
    expect(
      await query(url, `SELECT FROM annals.memories WHERE state = 'active' AND content ~ '${FORGOTTEN}|${DELETED}'`),
    ).toEqual([]);
    expect(
      await query(url, `SELECT FROM annals.memories WHERE state = 'active' AND content LIKE '%Porto%'`),
    ).toHaveLength(1);
    expect(await annals(serviceUrl(url), 'verify')).toMatchObject({
      code: 0,
      output: expect.stringContaining('no inconsistencies found'),
    });
    const again = await annals(serviceUrl(url), 'deletions', '--replay', list);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('has carried out all') });
    const [{ spent } = { spent: '' }] = await query<{ spent: string }>(
      url,
      `SELECT sum(cost_micro_usd)::text AS spent FROM annals.usage WHERE provider = 'claude'`,
    );
    expect(spent).toBe('4711');
  }

  it('to a moment has all from before it, verifies, and forgets again what was deleted later; services go on', async () => {
    const restored = await startPrivatePostgres();
    closing.push(() => restored.stop());
    await restored.kill9();
    await restored.shell('rm -rf "$DATA"/*');
    await run(restored, 'point-in-time', {
      BACKUP: `${files.backup}/base`,
      ARCHIVE: files.archive,
      TARGET_TIME: targetTime,
    });
    await restored.restart();
    await waitUntil(
      async () => {
        const [row] = await query<{ busy: boolean }>(restored.url, 'SELECT pg_is_in_recovery() AS busy');
        return row?.busy === false;
      },
      { describe: 'the server has recovered' },
    );
    await expectForgotten(restored.url);

    // Redis is of another time.
    await redis.restart();
    system = await start(restored);
    closing.push(() => system.close());
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await say('cleo', 'I am allergic to walnuts.', 'cleo-2');
    const { memories } = await client.must('queryMemory', {
      body: { query: 'What is Cleo allergic to?', filters: { user_id: 'cleo' } },
    });
    expect(memories.some(({ text }) => text.includes('walnuts'))).toBe(true);
    await client.must('eraseUser', { params: { user_id: 'cleo' } });
    const continued = `${list}.continued`;
    copyFileSync(list, continued);
    expect(await annals(serviceUrl(restored.url), 'deletions', '--export', continued)).toMatchObject({ code: 0 });
    expect(await annals(serviceUrl(restored.url), 'verify')).toMatchObject({ code: 0 });
  });

  it('from a dump keeps owners, roles and policies, verifies, and forgets again', async () => {
    const restored = await startPrivatePostgres();
    closing.push(() => restored.stop());
    await run(restored, 'restore-dump', { ADMIN_URL: restored.url, BACKUP: `${files.backup}/dump` });
    const owners = `SELECT p.proname, p.proowner::regrole::text AS owner, p.prosecdef FROM pg_proc p
                     WHERE p.pronamespace = 'annals'::regnamespace ORDER BY 1`;
    expect(await query(restored.url, owners)).toEqual(await query(original.url, owners));
    const policies = `SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text FROM pg_class c
                       WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'r' ORDER BY 1`;
    expect(await query(restored.url, policies)).toEqual(await query(original.url, policies));
    await query(restored.url, `ALTER ROLE annals_app PASSWORD '${APP_PASSWORD}'`);
    await expectForgotten(restored.url);
  });

  it('is not dumped by a role to which row-level security applies', async () => {
    const { status, output } = await original.shell(documentedBlock('backup.md', 'bash', 'dump'), {
      ADMIN_URL: serviceUrl(original.url),
      BACKUP: files.backup,
    });
    expect(status).not.toBe(0);
    expect(output).toMatch(/permission denied|row-level security/);
    expect(readFileSync(list, 'utf8')).not.toMatch(/\b(?:ada|bob|cleo)\b|Porto/);
  });
});
