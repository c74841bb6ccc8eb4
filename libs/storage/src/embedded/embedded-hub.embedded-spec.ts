import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { listenTcp } from './listen-tcp.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './open-embedded-database.js';

const LOCK_TIMEOUT_MS = 300;
const ADMIN_SETUP = `
  CREATE ROLE annals_app;
  CREATE SCHEMA one; CREATE TABLE one.marker AS SELECT 'one' AS place;
  CREATE SCHEMA two; CREATE TABLE two.marker AS SELECT 'two' AS place;
  GRANT USAGE ON SCHEMA one, two TO annals_app; GRANT SELECT ON one.marker, two.marker TO annals_app;
  CREATE TABLE notes (tenant text, body text);
  ALTER TABLE notes ENABLE ROW LEVEL SECURITY; ALTER TABLE notes FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON notes TO annals_app USING (tenant = current_setting('annals.tenant', true));
  GRANT ALL ON notes TO annals_app;
  INSERT INTO notes VALUES ('a', 'of a'), ('b', 'of b');
  CREATE TABLE counters (name text PRIMARY KEY, value int NOT NULL);
  CREATE FUNCTION set_hidden() RETURNS void LANGUAGE sql AS $$ SELECT pg_catalog.set_config('annals.tenant', 'a', false) $$;`;

describe('EmbeddedHub with many pg clients', () => {
  let db: EmbeddedDatabase;
  const open: pg.Client[] = [];

  async function client(config: pg.ClientConfig & { pipeline?: boolean } = {}): Promise<pg.Client> {
    const made = new pg.Client({ ...config, stream: db.createStream });
    made.on('error', () => undefined);
    open.push(made);
    await made.connect();
    return made;
  }
  const sqlState = (query: Promise<unknown>): Promise<unknown> =>
    query.then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    );

  beforeAll(async () => {
    db = await openEmbeddedDatabase({ location: 'memory', lockTimeoutMs: LOCK_TIMEOUT_MS });
    await (await client()).query(ADMIN_SETUP);
  });
  beforeEach(async () => {
    await (await client()).query('TRUNCATE counters');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.end()));
  });
  afterAll(() => db.close());

  it('isolates the statements of two transactions', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('BEGIN');
    await a.query("INSERT INTO counters VALUES ('a', 1)");
    const begin = b.query('BEGIN').then(() => b.query("INSERT INTO counters VALUES ('b', 1)"));
    await a.query('ROLLBACK');
    await begin;
    await b.query('COMMIT');
    expect((await a.query('SELECT name FROM counters')).rows).toEqual([{ name: 'b' }]);
  });

  it("applies the role and search path of each client's start-up options, with row-level security", async () => {
    const app = await client({ options: '-c role=annals_app --search_path=one,public' });
    const owner = await client({ options: '-c search_path=two,public' });
    const readMarker = async (who: pg.Client): Promise<unknown> =>
      (await who.query('SELECT current_user AS role, place, (SELECT count(*)::int FROM notes) AS notes FROM marker'))
        .rows[0];
    for (let round = 0; round < 3; round++) {
      expect(await readMarker(app)).toEqual({ role: 'annals_app', place: 'one', notes: 0 });
      expect(await readMarker(owner)).toEqual({ role: 'postgres', place: 'two', notes: 2 });
    }
    await app.query('BEGIN');
    await app.query("SELECT set_config('annals.tenant', 'a', true)");
    expect((await app.query('SELECT body FROM notes')).rows).toEqual([{ body: 'of a' }]);
    expect(await sqlState(app.query("INSERT INTO notes VALUES ('b', 'forged')"))).toBe('42501');
    await app.query('ROLLBACK');
    expect(await readMarker(app)).toEqual({ role: 'annals_app', place: 'one', notes: 0 });
  });

  it('reports an unknown role in the start-up options and ends that client only', async () => {
    const lost = await client({ options: '-c role=nobody_here' });
    await expect(lost.query('SELECT 1')).rejects.toMatchObject({ severity: 'FATAL', code: '22023' });
    expect((await (await client()).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('keeps the settings that a client changes, for that client only', async () => {
    const [a, b] = [await client({ options: '-c search_path=one' }), await client()];
    const settings = async (who: pg.Client): Promise<unknown> =>
      (
        await who.query(
          "SELECT current_user AS role, current_setting('search_path') AS path, current_setting('work_mem') AS mem, " +
            "current_setting('annals.tenant', true) AS tenant, current_setting('application_name') AS app",
        )
      ).rows[0];
    await a.query("SET work_mem = '8MB'; SET search_path = two, public");
    await a.query('SET ROLE annals_app');
    await a.query('SELECT set_config($1, $2, false)', ['annals.tenant', 'a']);
    await a.query({ name: 'app', text: 'SELECT set_config($1, $2, false)', values: ['application_name', 'relay'] });
    const changed = { role: 'annals_app', path: 'two, public', mem: '8MB', tenant: 'a', app: 'relay' };
    const fresh = { role: 'postgres', path: 'public', mem: '4MB', app: '' };
    expect(await settings(b)).toMatchObject(fresh);
    expect(await settings(a)).toEqual(changed);
    expect(await settings(b)).toMatchObject(fresh);
    await a.query('BEGIN; SET work_mem = 64; ROLLBACK');
    expect(await settings(a)).toEqual(changed);
    await a.query('RESET ALL; RESET ROLE');
    expect(await settings(a)).toMatchObject({ ...fresh, path: 'one' });
    expect(await settings(await client())).toMatchObject(fresh);
  });

  it('does not carry a setting that a stored function changes over to other clients', async () => {
    const [a, app] = [await client(), await client({ options: '-c role=annals_app' })];
    await a.query('SELECT set_hidden()');
    expect((await app.query('SELECT * FROM notes')).rows).toEqual([]);
  });

  it('isolates prepared statements of the same name, and the unnamed one', async () => {
    const [a, b] = [await client(), await client()];
    const runPrepared = async (who: pg.Client, text: string): Promise<unknown> =>
      (await who.query({ name: 'same', text, values: [1] })).rows[0];
    for (let round = 0; round < 2; round++) {
      expect(await runPrepared(a, "SELECT 'a' || $1 AS x")).toEqual({ x: 'a1' });
      expect(await runPrepared(b, "SELECT 'b' || $1 AS x")).toEqual({ x: 'b1' });
    }
    await Promise.all([a.end(), b.end()]);
    const left = await (await client()).query('SELECT name FROM pg_prepared_statements');
    expect(left.rows).toEqual([]);
  });

  it('responds to pipelined batches in order, with an error in the middle of a transaction', async () => {
    const piped = await client({ pipeline: true });
    const other = await client({ pipeline: true });
    const script = (who: pg.Client, name: string): Promise<unknown>[] => [
      sqlState(who.query('BEGIN')),
      sqlState(who.query('INSERT INTO counters VALUES ($1, 1)', [name])),
      sqlState(who.query('SELECT 1 / $1::int', [0])),
      sqlState(who.query('SELECT $1::int', [1])),
      sqlState(who.query('COMMIT')),
      who.query('SELECT $1::text AS name, count(*)::int AS rows FROM counters', [name]).then(({ rows }) => rows[0]),
    ];
    const [mine, theirs] = await Promise.all([Promise.all(script(piped, 'p')), Promise.all(script(other, 'o'))]);
    expect(mine).toEqual(['ok', 'ok', '22012', '25P02', 'ok', { name: 'p', rows: 0 }]);
    expect(theirs).toEqual(['ok', 'ok', '22012', '25P02', 'ok', { name: 'o', rows: 0 }]);
  });

  it('delivers notifications to listening clients, until they unlisten', async () => {
    const [a, b, sender] = [await client(), await client(), await client()];
    const received: string[] = [];
    a.on('notification', ({ payload }) => received.push(`a:${payload}`));
    b.on('notification', ({ payload }) => received.push(`b:${payload}`));
    sender.on('notification', () => received.push('sender'));
    await a.query('LISTEN news');
    await b.query('LISTEN news');
    await sender.query("NOTIFY news, '1'");
    await sender.query("BEGIN; LISTEN news; NOTIFY news, 'never'; ROLLBACK");
    await a.query('UNLISTEN news');
    await sender.query("NOTIFY news, '2'");
    await b.end();
    await sender.query("NOTIFY news, '3'");
    expect(received).toEqual(['a:1', 'b:1', 'b:2']);
  });

  it('rejects statements that would affect or block other clients, with an ordinary SQL error', async () => {
    const a = await client();
    await expect(a.query('COPY counters FROM STDIN')).rejects.toMatchObject({ code: '0A000' });
    await expect(a.query('DISCARD ALL')).rejects.toMatchObject({ code: '0A000' });
    await a.query('BEGIN');
    expect(await sqlState(a.query({ text: 'PREPARE p AS SELECT 1', queryMode: 'extended' } as pg.QueryConfig))).toBe(
      '0A000',
    );
    expect(await sqlState(a.query('SELECT 1'))).toBe('25P02');
    await a.query('ROLLBACK');
    expect(await sqlState(a.query('SELECT 1'))).toBe('ok');
  });

  it('reports what to do to a client that waits too long for a transaction, and serves others', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('BEGIN');
    await expect(b.query('SELECT 1')).rejects.toMatchObject({
      code: '55P03',
      message: expect.stringContaining('one transaction at a time'),
    });
    await a.query('COMMIT');
    expect(await sqlState(b.query('SELECT 1'))).toBe('ok');
  });

  it('disconnects a client whose pipelined BEGIN failed, instead of running the rest without it', async () => {
    const [a, piped] = [await client(), await client({ pipeline: true })];
    await a.query('BEGIN');
    const results = [
      piped.query('BEGIN'),
      piped.query("INSERT INTO counters VALUES ('stray', 1)"),
      piped.query('COMMIT'),
    ];
    const outcomes = await Promise.allSettled(results);
    await a.query('COMMIT');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await a.query('SELECT * FROM counters')).rows).toEqual([]);
  });

  it('rolls back the transaction of a disconnected client, and serves the next', async () => {
    const [victim, next] = [await client(), await client()];
    await victim.query('BEGIN');
    await victim.query("INSERT INTO counters VALUES ('victim', 1)");
    const waiting = next.query('SELECT count(*)::int AS rows FROM counters');
    (victim as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await waiting).rows).toEqual([{ rows: 0 }]);
  });

  it('removes a client that disconnects while it waits from the queue', async () => {
    const [holder, impatient, next] = [await client(), await client(), await client()];
    await holder.query('BEGIN');
    const lost = sqlState(impatient.query("INSERT INTO counters VALUES ('late', 1)"));
    const waiting = next.query('SELECT count(*)::int AS rows FROM counters');
    (impatient as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await lost;
    await holder.query('COMMIT');
    expect((await waiting).rows).toEqual([{ rows: 0 }]);
  });

  it('transfers large values in both directions', async () => {
    const a = await client();
    const text = 'é'.repeat(3_000_000);
    const { rows } = await a.query('SELECT $1::text AS text, generate_series(1, 5) AS n', [text]);
    expect(rows.map((row: { text: string }) => row.text === text)).toEqual([true, true, true, true, true]);
  });

  it('serves other processes over TCP, responds to an encryption request, and ignores a cancel request', async () => {
    const listener = await listenTcp(db, 0);
    const remote = new pg.Client({
      host: '127.0.0.1',
      port: listener.port,
      user: 'postgres',
      options: '-c role=annals_app',
    });
    await remote.connect();
    expect((await remote.query('SELECT current_user AS role')).rows).toEqual([{ role: 'annals_app' }]);
    await remote.end();

    const encrypted = connect(listener.port, '127.0.0.1');
    encrypted.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
    expect(String((await once(encrypted, 'data'))[0])).toBe('N');
    encrypted.destroy();

    const cancel = connect(listener.port, '127.0.0.1');
    cancel.resume().write(Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 0, 0, 0, 0]));
    await once(cancel, 'close');
    expect(await sqlState((await client()).query('SELECT 1'))).toBe('ok');
    await listener.close();
  });
});
