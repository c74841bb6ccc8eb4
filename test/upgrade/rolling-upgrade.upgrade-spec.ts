import {
  AnnalsProcess,
  ApiClient,
  APP_PASSWORD,
  APP_ROLE,
  assertNothingLostOrDuplicated,
  createTestKey,
  inspectDatabase,
  LoadGenerator,
  type PrivateServer,
  runProgram,
  startPrivatePostgres,
  startPrivateRedis,
  TEST_SEED,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reportFigure } from '../faults/report.js';
import { PREVIOUS_RELEASE_FILE, readPreviousRelease } from './previous-release.js';
import { readSchemaContract } from './schema-contract.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The build of the release before, by `npm run test:upgrade`. */
const PREVIOUS = process.env['ANNALS_PREVIOUS_RELEASE']!;
const COMMIT = path.basename(PREVIOUS);
const APPS = ['gateway', 'extraction', 'persistence'] as const;
/** Batches in each phase of the upgrade. */
const BATCHES = 20;

describe(`a rolling upgrade from the release before (${COMMIT.slice(0, 8)})`, () => {
  let postgres: PrivateServer;
  let redis: PrivateServer;
  let serviceUrl: string;
  const keys = { tenant: createTestKey('tenant'), operator: createTestKey('operator') };
  const processes: AnnalsProcess[] = [];
  const list = path.join(ROOT, 'test-results', 'upgrade-deletions.ndjson');

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPrivatePostgres(), startPrivateRedis()]);
    serviceUrl = Object.assign(new URL(postgres.url), { username: APP_ROLE, password: APP_PASSWORD }).href;
    for (const file of [list, `${list}.spending`]) rmSync(file, { force: true });
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill9()));
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  async function run(root: string, program: string, args: string[], env: Record<string, string>) {
    const { code, output } = await runProgram(path.join(root, program), args, env);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
    return output;
  }
  const migrate = (root: string) =>
    run(root, 'libs/storage/dist/cli/migrate.js', [], {
      ANNALS_ADMIN_DATABASE_URL: postgres.url,
      ANNALS_DB_APP_PASSWORD: APP_PASSWORD,
      ANNALS_BOOTSTRAP_KEY: keys.tenant,
      ANNALS_OPERATOR_KEY: keys.operator,
    });
  const serviceEnv = () => ({
    ANNALS_DATABASE_URL: serviceUrl,
    ANNALS_REDIS_URL: redis.url,
    ANNALS_SECRET_KEY: 'a-secret-key-of-both-releases-in-tests',
    ANNALS_LOG_LEVEL: 'debug',
    ANNALS_MINDS: 'off',
  });
  async function start(root: string): Promise<AnnalsProcess[]> {
    const started = await Promise.all(APPS.map((app) => AnnalsProcess.prepare(app, serviceEnv(), root)));
    processes.push(...started);
    // One after the other, as an orchestrator does.
    for (const one of started) await one.start();
    return started;
  }
  const query = <T>(work: Parameters<typeof inspectDatabase<T>>[1]) =>
    inspectDatabase({ connectionString: postgres.url }, work);
  const errorsOf = (one: AnnalsProcess) =>
    one.output.text.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));

  let old: AnnalsProcess[];
  let fresh: AnnalsProcess[];
  let load: LoadGenerator;
  const gateways: AnnalsProcess[] = [];
  let turn = 0;
  const client = new ApiClient(() => gateways[turn++ % gateways.length]!.url, keys.tenant);
  const explain = () => processes.map(({ app, output }) => `--- ${app}\n${output.tail}`).join('\n');
  /** Posts that are accepted from now on, and done. */
  async function workOn(phase: string): Promise<void> {
    const from = load.batchIds.length;
    await waitUntil(() => load.batchIds.length >= from + BATCHES, {
      describe: `batches are accepted ${phase}`,
      timeoutMs: 300_000,
    });
    await waitUntilDone(client, load.batchIds.slice(from, from + BATCHES), { explain });
  }

  it('begins with a release whose schema is the recorded one', async () => {
    await migrate(PREVIOUS);
    const contract = await query(readSchemaContract);
    if (process.env['ANNALS_RECORD_RELEASE'] === 'true') {
      writeFileSync(PREVIOUS_RELEASE_FILE, `${JSON.stringify({ commit: COMMIT, contract }, null, 2)}\n`);
    }
    const recorded = readPreviousRelease();
    if (recorded.commit === COMMIT) expect(recorded.contract).toEqual(contract);
    old = await start(PREVIOUS);
    gateways.push(old[0]!);
    load = new LoadGenerator(client, { seed: TEST_SEED, callers: 2, pauseMs: 50 });
    await workOn('by the release before');
  });

  it('lets its processes go on when the schema is migrated under load', async () => {
    expect(await migrate(ROOT)).toMatch(/Applied|up to date/);
    await workOn('by the release before on the new schema');
  });

  it('lets processes of both releases work side by side', async () => {
    fresh = await start(ROOT);
    gateways.push(fresh[0]!);
    const marks = [...old, ...fresh].map(({ output }) => output.text.length);
    await workOn('by both');
    await workOn('by both');
    // Each has done something since: gateways have accepted, workers have worked.
    const since = [...old, ...fresh].map(({ app, output }, index) => [app, output.text.length > marks[index]!]);
    expect(since).toEqual([...old, ...fresh].map(({ app }) => [app, true]));
  });

  it('lists what a gateway of the release before deletes', async () => {
    const oldClient = new ApiClient(() => old[0]!.url, keys.tenant);
    const body = {
      user_id: 'ada',
      thread_id: 'ada-1',
      flush: true,
      messages: [{ id: 'm1', role: 'user' as const, content: 'I live in Porto.', created_at: '2026-05-04T09:12:00Z' }],
    };
    const { batch_ids: ids, conversation_id: conversation } = await oldClient.must('postConversation', { body });
    await waitUntilDone(oldClient, ids, { explain });
    await oldClient.must('forgetConversation', { params: { id: conversation } });
    await oldClient.must('eraseUser', { params: { user_id: 'ada' } });
    await run(ROOT, 'apps/doctor/dist/main.js', ['deletions', '--export', list], serviceEnv());
    expect(readFileSync(list, 'utf8')).toMatch(/"kind":"conversation"[\s\S]*"kind":"user"/);
  });

  it('loses and doubles nothing while the old processes are stopped one after the other', async () => {
    for (const one of old.toReversed()) {
      if (one.app === 'gateway') gateways.shift();
      expect([one.app, await one.stop()]).toEqual([one.app, 0]);
    }
    await workOn('by this release alone');
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    await query((ask) => assertNothingLostOrDuplicated(ask, expected));
    for (const one of processes) expect([one.app, errorsOf(one)]).toEqual([one.app, []]);
    const verified = await run(ROOT, 'apps/doctor/dist/main.js', ['verify'], serviceEnv());
    expect(verified).toContain('no inconsistencies found');
    reportFigure(
      `rolling upgrade from ${COMMIT.slice(0, 8)}, ${expected.batchIds.length} batches of ${load.posts} posts`,
      `nothing lost or doubled, ${load.retries} posts sent again`,
    );
  });
});
