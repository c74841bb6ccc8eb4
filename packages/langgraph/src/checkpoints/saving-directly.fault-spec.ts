import { createTestPool, isSoak } from '@annals/testing';
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import type pg from 'pg';
import { ThreadWriter, valuesOf } from '../fixtures/checkpoints.fixture.js';
import { type Savers, startSavers } from '../fixtures/savers.fixture.js';
import { AnnalsSaver } from '../index.js';

type Row = Record<string, unknown>;

/** Logins are roles of a server: the embedded database has none. */
describe('a saver with the option postgres', () => {
  let savers: Savers;
  let login: string;
  let pool: pg.Pool;
  /** Statements that were sent to the database. */
  let sent = 0;
  const postgres = {
    query: (text: string, values: unknown[]) => {
      sent += 1;
      return pool.query<Row>(text, values);
    },
  };
  const administer = (sql: string, parameters: readonly unknown[] = []) =>
    savers.system.inspect((query) => query<Row>(sql, parameters));
  const allow = (tenant: string) => administer('SELECT annals.add_langgraph_login($1, $2)', [login, tenant]);

  beforeAll(async () => {
    savers = await startSavers();
    const [server] = await administer(
      'SELECT current_database() AS database, host(inet_server_addr()) AS host, inet_server_port() AS port',
    );
    const { database, host, port } = server as { database: string; host: string; port: number };
    login = `graphs_${database}`;
    await administer(`CREATE ROLE ${login} LOGIN PASSWORD '${login}'`);
    await administer(`GRANT USAGE ON SCHEMA annals TO ${login}`);
    pool = createTestPool({ host, port, database, user: login, password: login, max: 2 });
  });
  afterAll(async () => {
    await pool?.end();
    if (login) {
      await administer(`DROP OWNED BY ${login}`);
      await administer(`DROP ROLE ${login}`);
    }
    await savers?.close();
  });
  beforeEach(() => {
    sent = 0;
  });

  /** A saver of a new tenant, for which the login saves from now on. */
  const createSaver = async (): Promise<AnnalsSaver> => {
    const key = await savers.createTenant();
    await administer('SELECT annals.remove_langgraph_login($1)', [login]);
    await allow(savers.lastTenant);
    return savers.saverOf(key, { postgres });
  };
  const long = (step: number) => `${step}: ${'words '.repeat(100)}`;
  const readStates = async (threadId: string) =>
    administer(
      `SELECT c.seq, c.seq = c.whole_seq AS is_whole FROM annals.langgraph_checkpoints c
         JOIN annals.langgraph_namespaces n USING (tenant_id, namespace_key)
         JOIN annals.langgraph_threads t USING (tenant_id, thread_key) WHERE t.thread_id = $1 ORDER BY c.seq`,
      [threadId],
    );

  it('saves checkpoints behind known ones and writes in the database, whole states as well', async () => {
    const saver = await createSaver();
    const writer = new ThreadWriter(saver, 'thread', '', { user_id: 'ada' });
    await writer.put({ values: { text: long(0), messages: [] } });
    expect(sent).toBe(0);
    const messages: string[] = [];
    for (let step = 1; step <= 70; step += 1) {
      messages.push(long(step));
      const config = await writer.put({ values: { text: long(step), messages: [...messages] } });
      await saver.putWrites(
        config,
        [
          ['messages', long(step)],
          ['text', step],
        ],
        'task',
      );
    }
    // A delta, a whole state where one is due, and the writes: nothing by REST.
    expect(sent).toBeGreaterThanOrEqual(140);
    const states = await readStates('thread');
    expect(states.map(({ seq }) => seq)).toEqual(states.map((_, index) => index + 1));
    expect(states.length).toBe(71);
    expect(states.filter(({ is_whole: isWhole }) => isWhole).length).toBeLessThan(15);
    const tuple = await saver.getTuple({ configurable: { thread_id: 'thread' } });
    expect(tuple?.checkpoint.channel_values).toEqual({ text: long(70), messages });
    expect(tuple?.pendingWrites).toEqual([
      ['task', 'messages', long(70)],
      ['task', 'text', 70],
    ]);
    const [owner] = await administer("SELECT user_id FROM annals.langgraph_threads WHERE thread_id = 'thread'");
    expect(owner).toEqual({ user_id: 'ada' });
  });

  it('saves by REST what the database refuses, and what it does not know', async () => {
    const saver = await createSaver();
    const writer = new ThreadWriter(saver, 'thread');
    const first = await writer.put({ values: { text: long(1) } });
    // jsonb cannot hold it; the route leaves it out of what filters look at.
    const second = await writer.put({ values: { text: long(2) }, metadata: { note: 'a\0b' } as never });
    await saver.putWrites(second, [['text', 'a\0b']], 'task');
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(await valuesOf(saver, second)).toEqual({ text: long(2) });
    expect((await saver.getTuple(second))?.metadata).toMatchObject({ note: 'a\0b' });
    expect((await saver.getTuple(second))?.pendingWrites).toEqual([['task', 'text', 'a\0b']]);
    // A thread that another saver has gone on with.
    const other = savers.saverOf(savers.lastKey);
    await new ThreadWriter(other, 'thread').put({ values: { text: long(3) } }, second);
    const fourth = await writer.put({ values: { text: long(4) } }, first);
    expect(await valuesOf(saver, fourth)).toEqual({ text: long(4) });
  });

  it('loses nothing when its connections are cut and the server refuses new ones', async () => {
    const saver = await createSaver();
    const writers = [1, 2, 3, 4].map((n) => new ThreadWriter(saver, `thread-${n}`));
    const cut = async () => {
      await administer(`ALTER ROLE ${login} NOLOGIN`);
      await administer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [login]);
    };
    const saveAll = (step: number) =>
      Promise.all(
        writers.map(async (writer) => {
          const config = await writer.put({ values: { text: long(step) } });
          await saver.putWrites(config, [['text', step]], 'task');
        }),
      );
    for (let step = 1; step <= 12; step += 1) {
      if (step === 4) await Promise.all([saveAll(step), cut()]);
      else await saveAll(step);
      if (step === 8) await administer(`ALTER ROLE ${login} LOGIN`);
    }
    for (const { threadId } of writers) {
      const found = [];
      for await (const { checkpoint, pendingWrites } of saver.list({ configurable: { thread_id: threadId } }))
        found.push([checkpoint.channel_values['text'], pendingWrites?.[0]?.[2]]);
      expect(found).toEqual(Array.from({ length: 12 }, (_, index) => [long(12 - index), 12 - index]));
    }
  });

  it('fails when its login may not save', async () => {
    const saver = await createSaver();
    const writer = new ThreadWriter(saver, 'thread');
    await writer.put({ values: { text: long(1) } });
    await administer('SELECT annals.remove_langgraph_login($1)', [login]);
    await expect(writer.put({ values: { text: long(2) } })).rejects.toThrow('add it with annals.add_langgraph_login');
  });

  describe.runIf(isSoak)('the validation of LangGraph', () => {
    const initializer = { checkpointerName: '@annals/langgraph, directly', createCheckpointer: createSaver };
    specTest<AnnalsSaver>(initializer);
    deltaChannelHistoryTests<AnnalsSaver>(initializer);
  });
});
