import { startTcpProxy, waitUntil } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import type { Database } from './database.js';
import { DatabaseUnavailableError, sqlState, StatementEndedError } from './errors.js';
import type { StatementLimits } from './statement-limits.js';
import type { Tx } from './transaction.js';

const LIMITS = { statementMs: 400, pathMs: { recall: 200, bulk: 60_000 }, lockMs: 100 } satisfies StatementLimits;
const SLEEP = 'SELECT pg_sleep(5)';

describe('limits of statements', () => {
  let fixture: StorageFixture;
  let database: Database;
  let tenant: string;
  const failed: Error[] = [];

  beforeAll(async () => {
    fixture = await StorageFixture.open(
      { poolSize: 1, limits: LIMITS },
      { onStatementFailed: (error) => failed.push(error) },
    );
    ({ database } = fixture);
    tenant = await fixture.addTenant();
  });
  beforeEach(() => {
    failed.length = 0;
  });
  afterAll(() => fixture.close());

  const readLimits = async (tx: Tx) => {
    const [row] = await tx.query<{ statement: string; lock: string }>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    return [row!.statement, row!.lock];
  };

  it('end a statement in any transaction with StatementEndedError, and leave the connection usable', async () => {
    const [before] = await database.readTenant(tenant, (tx) => tx.query('SELECT pg_backend_pid() AS pid'));
    await expect(database.inTenant(tenant, (tx) => tx.query(SLEEP))).rejects.toThrow(StatementEndedError);
    await expect(database.readTenant(tenant, (tx) => tx.query(SLEEP))).rejects.toThrow(StatementEndedError);
    await expect(database.inTenant(tenant, async (tx) => tx.atCommit(tx.query(SLEEP)))).rejects.toThrow(
      StatementEndedError,
    );
    expect(failed.map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'StatementEndedError'));
    expect(await database.readTenant(tenant, (tx) => tx.query('SELECT pg_backend_pid() AS pid'))).toEqual([before]);
  });

  it('differ by path, and are those of the process again in the next transaction', async () => {
    const [recall, bulk] = [database.forPath('recall'), database.forPath('bulk')];
    expect(await recall.readTenant(tenant, readLimits)).toEqual(['200ms', '100ms']);
    expect(await bulk.inTenant(tenant, readLimits)).toEqual(['1min', '100ms']);
    const allowed = await database.inTenant(tenant, async (tx) => {
      tx.allowBulk();
      return readLimits(tx);
    });
    expect(allowed).toEqual(['1min', '100ms']);
    expect(await database.inTenant(tenant, readLimits)).toEqual(['400ms', '100ms']);
    expect(await recall.forPath('bulk').inTenant(tenant, readLimits)).toEqual(['1min', '100ms']);
  });

  it('hold for calls across tenants, whose path has a transaction of its own', async () => {
    await fixture.queryAsSuperuser(`
      CREATE FUNCTION annals.read_limit() RETURNS text LANGUAGE sql AS $$ SELECT current_setting('statement_timeout') $$`);
    expect(await database.callScalarAcrossTenants('read_limit')).toBe('400ms');
    expect(await database.forPath('bulk').callScalarAcrossTenants('read_limit')).toBe('1min');
    expect(await database.callScalarAcrossTenants('read_limit')).toBe('400ms');
    await expect(database.forPath('bulk').callAcrossTenants('no_such_function')).rejects.toMatchObject({
      code: '42883',
    });
    expect(database.poolStats).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('end the wait for a lock as an outage that is over once the lock is', async () => {
    const holder = await fixture.openAnother();
    const release = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const held = holder.inTenant(tenant, async (tx) => {
      await tx.execute("INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ('ada', 'a', 1)");
      isLocked.resolve();
      await release.promise;
    });
    await isLocked.promise;
    const write = () =>
      database.inTenant(tenant, (tx) =>
        tx.execute(
          "INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ('ada', 'a', 1) ON CONFLICT DO NOTHING",
        ),
      );
    const refused = await write().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(DatabaseUnavailableError);
    expect(sqlState((refused as Error).cause)).toBe('55P03');
    release.resolve();
    await held;
    expect(await write()).toBe(0);
  });

  it('end the wait for a server that has gone silent, and open a new connection afterwards', async () => {
    const proxy = await startTcpProxy(fixture.testDatabase.app.url);
    const behind = await fixture.openAnother({
      url: proxy.through(fixture.testDatabase.app.url),
      poolSize: 1,
      limits: LIMITS,
      acquireMs: 300,
    });
    await behind.ping();
    proxy.freeze();
    const lost = await Promise.allSettled([
      behind.inTenant(tenant, (tx) => tx.query('SELECT 1')),
      // Waits for the one connection of the pool, and no longer than it may.
      behind.readTenant(tenant, (tx) => tx.query('SELECT 1')),
    ]);
    expect(lost.map((each) => each.status === 'rejected' && each.reason)).toEqual([
      expect.any(DatabaseUnavailableError),
      expect.any(DatabaseUnavailableError),
    ]);
    expect(behind.poolStats.total).toBe(0);
    proxy.thaw();
    await waitUntil(() => behind.ping().then(() => true), { describe: 'the server answers' });
    await behind.close();
    await proxy.close();
  });

  it('take all connections for silent once one of them is', async () => {
    const proxy = await startTcpProxy(fixture.testDatabase.app.url);
    const behind = await fixture.openAnother({
      url: proxy.through(fixture.testDatabase.app.url),
      poolSize: 4,
      limits: LIMITS,
    });
    const read = () => behind.readTenant(tenant, (tx) => tx.query('SELECT 1 AS one'));
    await Promise.all(Array.from({ length: 4 }, read));
    await waitUntil(() => Promise.resolve(behind.poolStats.idle === 4), { describe: 'four connections are idle' });
    proxy.strand();
    await expect(read()).rejects.toThrow(DatabaseUnavailableError);
    for (let each = 0; each < 4; each += 1) expect(await read()).toEqual([{ one: 1 }]);
    await behind.close();
    await proxy.close();
  });

  it('give up connections that say nothing, when the process stops, however long their statements may take', async () => {
    const proxy = await startTcpProxy(fixture.testDatabase.app.url);
    const behind = await fixture.openAnother({
      url: proxy.through(fixture.testDatabase.app.url),
      poolSize: 2,
      limits: { statementMs: 3_600_000, pathMs: { bulk: 3_600_000 } },
    });
    await behind.ping();
    proxy.strand();
    const waiting = Promise.allSettled([behind.inTenant(tenant, (tx) => tx.query('SELECT 1'))]);
    behind.limitSilence(50);
    expect(await waiting).toEqual([{ status: 'rejected', reason: expect.any(DatabaseUnavailableError) }]);
    // Those that begin later, too, for every path.
    await behind.ping();
    proxy.strand();
    const bulk = behind.inTenant(tenant, (tx) => {
      tx.allowBulk();
      return tx.query('SELECT 1');
    });
    await expect(bulk).rejects.toThrow(DatabaseUnavailableError);
    await behind.close();
    await proxy.close();
  });
});
