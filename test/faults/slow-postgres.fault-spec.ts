import {
  ApiClient,
  assertNothingLostOrDuplicated,
  LoadGenerator,
  makePost,
  type ProxiedSystem,
  startBehindProxies,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { readMetrics } from './read-metrics.js';

/** Short, so that a slow statement takes a moment; longer than any statement of these specs takes otherwise. */
const LIMITS = {
  ANNALS_DB_RECALL_TIMEOUT_MS: '1000',
  ANNALS_DB_REQUEST_TIMEOUT_MS: '2000',
  ANNALS_DB_WORK_TIMEOUT_MS: '2000',
  ANNALS_DB_LOCK_TIMEOUT_MS: '1500',
  ANNALS_DB_ACQUIRE_TIMEOUT_MS: '1000',
};

describe('PostgreSQL that is slow rather than down', () => {
  let system: ProxiedSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startBehindProxies({ env: { ANNALS_LOG_LEVEL: 'info', ...LIMITS } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const post = (fact: number, threadId: string, flush = true) =>
    client.call('postConversation', { body: { ...makePost([fact], { userId: 'ada', threadId }), flush } });
  /** A busy machine may keep a post that is to be accepted waiting for longer than the limits; its ids allow a second. */
  const postUntilAccepted = (fact: number, threadId: string, flush = true) =>
    waitUntil(
      async () => {
        const answer = await post(fact, threadId, flush);
        return answer.ok ? answer : undefined;
      },
      { describe: `the post of thread ${threadId} is accepted` },
    );
  const queryUntilAnswered = () => waitUntil(async () => (await query()).ok, { describe: 'queries are answered' });
  const query = () => client.call('queryMemory', { body: { query: 'item 1', filters: { user_id: 'ada' } } });
  /** Holds a lock of a table while `work` runs. */
  const whileLocked = <T>(table: string, work: () => Promise<T>): Promise<T> =>
    system.inspect(async (run) => {
      await run('BEGIN');
      await run(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const result = await work();
      await run('COMMIT');
      return result;
    });
  /** Lets each statement that inserts memories take a minute while `work` runs. */
  const whileInsertsSleep = async <T>(work: () => Promise<T>): Promise<T> => {
    await system.inspect(async (run) => {
      await run(`CREATE FUNCTION annals.sleep() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`);
      await run(`CREATE TRIGGER sleep BEFORE INSERT ON annals.memories FOR EACH ROW EXECUTE FUNCTION annals.sleep()`);
    });
    try {
      return await work();
    } finally {
      await system.inspect((run) => run('DROP FUNCTION annals.sleep CASCADE'));
    }
  };
  const expectUnavailable = (answer: Awaited<ReturnType<typeof query | typeof post>>, detail: string) => {
    expect(answer).toMatchObject({ status: 503, problem: { code: 'unavailable' } });
    expect(answer.ok ? '' : answer.problem.detail).toContain(detail);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const readAlive = (url: string, path: '/health/live' | '/health/ready') =>
    new ApiClient(url, null).send('GET', path).then(({ status }) => status);
  const workerMetrics = async () =>
    (await Promise.all([...system.extractions, ...system.persistences].map(readMetrics))).join('\n');

  it('answers 503 with Retry-After when a statement of a request takes longer than its limit', async () => {
    const known = await postUntilAccepted(1, 'known');
    await waitUntilDone(client, known.body.batch_ids, { explain });
    await queryUntilAnswered();
    expectUnavailable(await whileLocked('lexical_postings', query), 'took too long');
    // The lock limit of a post is shorter than that of its statement.
    expectUnavailable(await whileLocked('messages', () => post(2, 'locked')), 'cannot be reached');
    await queryUntilAnswered();
    // Nothing of the refused one was stored.
    expect(await postUntilAccepted(2, 'locked')).toMatchObject({ status: 202 });
    expect(await readMetrics(system.gateways[0]!)).toMatch(
      /memory_llm_db_errors_total\{class="statement_ended"\} [1-9]/,
    );
  });

  it('lets a job wait for a lock without using an attempt, and try again a statement that took too long', async () => {
    const waiting = await whileLocked('memories', async () => {
      const accepted = await postUntilAccepted(3, 'waits');
      await waitUntil(async () => /class="lock"\} [1-9]/.test(await workerMetrics()), {
        describe: 'the job has waited for the lock',
      });
      return accepted;
    });
    await waitUntilDone(client, waiting.body.batch_ids, { explain });
    expect(await workerMetrics()).not.toMatch(/memory_llm_jobs_total\{[^}]*outcome="failed"[^}]*\} [1-9]/);

    const slow = await whileInsertsSleep(async () => {
      const accepted = await postUntilAccepted(4, 'sleeps');
      await waitUntil(
        async () => /memory_llm_jobs_total\{[^}]*outcome="failed"[^}]*\} [1-9]/.test(await workerMetrics()),
        { describe: 'an attempt was ended' },
      );
      return accepted;
    });
    await waitUntilDone(client, slow.body.batch_ids, { explain });
  });

  it('works on when every answer takes longer, and loses nothing', async () => {
    system.proxies.postgres.delayBy(300);
    const load = new LoadGenerator(client, { seed: 51, name: 'slow', callers: 6, pauseMs: 20 });
    await waitUntil(() => load.posts >= 30, { describe: 'posts are accepted' });
    for (const { url } of system.processes) expect(await readAlive(url, '/health/live')).toBe(200);
    system.proxies.postgres.delayBy(0);
    const expected = await load.stop();
    await waitUntilDone(client, expected.batchIds, { explain });
    const before = (await system.inspect((run) => run<{ id: string }>('SELECT id FROM batches'))).map(({ id }) => id);
    await system.inspect((run) =>
      assertNothingLostOrDuplicated(run, { batchIds: before, contents: expected.contents }),
    );
  });

  it('answers in bounded time while it is silent, with live processes that are not ready, and recovers', async () => {
    const accepted = await postUntilAccepted(5, 'before silence', false);
    system.proxies.postgres.freeze();
    // More than the pool has connections: none of them waits for the others.
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => query()),
      ...Array.from({ length: 10 }, (_, number) => post(6, `silent${number}`)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { url } of system.processes) {
      expect(await readAlive(url, '/health/live')).toBe(200);
      expect(await readAlive(url, '/health/ready')).toBe(503);
    }
    system.proxies.postgres.thaw();
    await Promise.all(system.processes.map((process) => process.waitReady()));
    await waitUntilDone(client, accepted.body.batch_ids, { explain });
    await queryUntilAnswered();
  });

  it('shuts down in time while it is silent', async () => {
    await postUntilAccepted(7, 'last');
    system.proxies.postgres.freeze();
    const codes = await Promise.all(system.processes.map((process) => process.stop()));
    system.proxies.postgres.thaw();
    expect(codes).toEqual(system.processes.map(() => 0));
    await Promise.all(system.processes.map((process) => process.start()));
    await waitUntil(
      async () => (await system.inspect((run) => run(`SELECT FROM batches WHERE state <> 'done'`))).length === 0,
      { describe: 'what was accepted is done' },
    );
  });
});
