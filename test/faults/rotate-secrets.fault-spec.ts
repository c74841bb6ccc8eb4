import {
  type AnnalsProcess,
  ApiClient,
  assertNothingLostOrDuplicated,
  createTestSecret,
  LoadGenerator,
  makePost,
  type PrivateServersSystem,
  startOnPrivateServers,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import pg from 'pg';

const [OLD_KEY, NEW_KEY] = [createTestSecret(), createTestSecret()];
const CALLERS = 3;
const NEW_LOGIN = { user: 'annals_app_2', password: 'the-new-password' };

describe('secrets that are rotated under running services', () => {
  let system: PrivateServersSystem;
  let client: ApiClient;
  /** The load balancer: leaves out a gateway that is being restarted. */
  const out = new Set<AnnalsProcess>();
  let turn = 0;
  const nextUrl = () => {
    const gateways = system.gateways.filter((gateway) => !out.has(gateway));
    return gateways[turn++ % gateways.length]!.url;
  };
  const explain = () => system.lastLines;

  beforeAll(async () => {
    system = await startOnPrivateServers({
      gateways: 2,
      env: { ANNALS_LOG_LEVEL: 'info', ANNALS_SECRET_KEY: OLD_KEY, ANNALS_BATCH_WINDOW_MS: '0' },
    });
    client = new ApiClient(nextUrl, system.tenantKey);
    await system.inspect((query) => requirePasswords(query));
  });
  afterAll(() => system?.close());

  /** Each process in turn, with these variables from now on. */
  const roll = async (variables: Record<string, string>, load: LoadGenerator) => {
    for (const process of system.processes) {
      out.add(process);
      // Requests that were sent to it before have been answered when each caller has sent another one.
      const enough = load.posts + 2 * CALLERS;
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      expect([process.app, await process.stop()]).toEqual([process.app, 0]);
      await process.start(variables);
      out.delete(process);
    }
  };

  it('fails no request, and what was made with the former key is recognised by the new one', async () => {
    const known = { ...makePost([1, 2], { userId: 'ada', threadId: 'known' }), flush: true };
    const repeatable = { body: known, headers: { 'idempotency-key': 'before-the-rotation' } };
    const before = await client.must('postConversation', repeatable);
    await waitUntilDone(client, before.batch_ids, { explain });
    const erased = { ...makePost([3], { userId: 'gone', threadId: 'gone' }), flush: true };
    await waitUntilDone(client, (await client.must('postConversation', { body: erased })).batch_ids, { explain });
    const erasure = { params: { user_id: 'gone' }, headers: { 'idempotency-key': 'erase-gone' } };
    const receipt = await client.must('eraseUser', erasure);

    const load = new LoadGenerator(client, { seed: 71, callers: CALLERS, pauseMs: 100 });
    const kept = { ANNALS_CHAIN_KEY: OLD_KEY, ANNALS_PSEUDONYM_KEY: OLD_KEY };
    await roll({ ...kept, ANNALS_SECRET_KEY_ACCEPTED: NEW_KEY }, load);
    await system.inspect((query) =>
      query(`CREATE ROLE ${NEW_LOGIN.user} LOGIN PASSWORD '${NEW_LOGIN.password}' IN ROLE annals_app`),
    );
    const url = Object.assign(new URL(system.databaseUrl), { username: NEW_LOGIN.user, password: NEW_LOGIN.password });
    const rotated = { ...kept, ANNALS_SECRET_KEY: NEW_KEY, ANNALS_SECRET_KEY_ACCEPTED: OLD_KEY };
    await roll({ ...rotated, ANNALS_DATABASE_URL: url.href }, load);
    await system.inspect((query) => query(`ALTER ROLE annals_app PASSWORD 'nobody-knows'`));
    const expected = await load.stop();
    expect(load.retries).toBe(0);
    await waitUntilDone(client, expected.batchIds, { explain });
    await system.inspect(async (query) => {
      const all = (await query<{ id: string }>('SELECT id FROM batches')).map(({ id }) => id);
      await assertNothingLostOrDuplicated(query, { batchIds: all, contents: expected.contents });
    });

    // The former password is of no use any more.
    const former = new pg.Client({ connectionString: system.databaseUrl });
    await expect(former.connect()).rejects.toMatchObject({ code: '28P01' });

    expect(await client.must('postConversation', repeatable)).toEqual(before);
    expect(await client.must('postConversation', { body: known })).toMatchObject({ accepted: 0, duplicates: 2 });
    const changed = { ...known, messages: known.messages.map((message) => ({ ...message, content: 'Other words.' })) };
    expect(await client.call('postConversation', { body: changed })).toMatchObject({
      status: 409,
      problem: { code: 'message_conflict' },
    });
    expect(await client.must('eraseUser', erasure)).toEqual(receipt);

    // Histories that were begun with the former key go on.
    const more = { ...makePost([4], { userId: 'ada', threadId: 'known' }), flush: true };
    await waitUntilDone(client, (await client.must('postConversation', { body: more })).batch_ids, { explain });
    const { items } = await client.must('listMemories', { query: { user_id: 'ada' } });
    expect(items).toHaveLength(3);
  });
});

/** Lets only the superuser log in without a password, as no server outside of tests does. */
async function requirePasswords(
  query: <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>,
): Promise<void> {
  const [row] = await query<{ file: string }>(`SELECT current_setting('hba_file') AS file`);
  const rules = ['host all postgres all trust', 'host all all all scram-sha-256'];
  const lines = rules.map((rule) => `('${rule}')`).join(', ');
  await query(`COPY (SELECT * FROM (VALUES ${lines}) AS rules) TO '${row!.file}'`);
  await query('SELECT pg_reload_conf()');
}
