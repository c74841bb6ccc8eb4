import { waitUntil } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { Database } from './database.js';
import { DatabaseUnavailableError } from './errors.js';
import type { Tx } from './transaction.js';

const POOL_SIZE = 3;

describe('Database with lost connections', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeEach(async () => {
    fixture = await StorageFixture.open({ poolSize: POOL_SIZE });
    tenant = await fixture.addTenant();
  });
  afterEach(() => fixture.close());

  const endConnections = () =>
    fixture.queryAsSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'annals_app' AND datname = $1`,
      [fixture.testDatabase.name],
    );
  const addThread = (tx: Tx) =>
    tx.execute("INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ('ada', 'a', 1)");
  const countThreads = async () =>
    (await fixture.inTenant(tenant, (tx) => tx.query('SELECT FROM thread_revisions'))).length;

  it('rejects with DatabaseUnavailableError in the middle of a transaction, which is rolled back', async () => {
    const cut = fixture.inTenant(tenant, async (tx) => {
      await addThread(tx);
      await endConnections();
      await addThread(tx);
    });
    await expect(cut).rejects.toThrow(DatabaseUnavailableError);
    expect(await countThreads()).toBe(0);
  });

  it('rejects with DatabaseUnavailableError before the commit', async () => {
    const cut = fixture.inTenant(tenant, async (tx) => {
      await addThread(tx);
      await endConnections();
    });
    await expect(cut).rejects.toThrow(DatabaseUnavailableError);
    expect(await countThreads()).toBe(0);
  });

  it('rejects a running statement with DatabaseUnavailableError', async () => {
    const cut = fixture.inTenant(tenant, (tx) => tx.query('SELECT pg_sleep(600)'));
    const outcome = cut.then(
      () => undefined,
      (error: unknown) => error,
    );
    const sleeping = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = $1`;
    await waitUntil(async () => (await fixture.queryAsSuperuser(sleeping, [fixture.testDatabase.name])).length === 1, {
      describe: 'the statement sleeps',
    });
    await endConnections();
    expect(await outcome).toBeInstanceOf(DatabaseUnavailableError);
  });

  it('replaces every connection, and then works as before', async () => {
    const openAll = () =>
      Promise.all(
        Array.from({ length: POOL_SIZE }, () => fixture.inTenant(tenant, (tx) => tx.query('SELECT pg_sleep(0.05)'))),
      );
    await openAll();
    expect(fixture.database.poolStats.total).toBe(POOL_SIZE);
    await endConnections();
    await waitUntil(() => fixture.database.poolStats.total === 0, { describe: 'the pool has dropped them' });
    await openAll();
    await fixture.inTenant(tenant, addThread);
    expect(await countThreads()).toBe(1);
    expect(fixture.database.poolStats).toEqual({ total: POOL_SIZE, idle: POOL_SIZE, waiting: 0 });
  });

  it('notifies its observer of connections that broke while idle', async () => {
    const lost: Error[] = [];
    const database = await Database.open(fixture.testDatabase.app, { onConnectionLost: (error) => lost.push(error) });
    await database.ping();
    await endConnections();
    await waitUntil(() => lost.length > 0, { describe: 'the observer was notified' });
    await database.close();
  });

  it('rejects with DatabaseUnavailableError when the server does not respond at all', async () => {
    const url = new URL(fixture.testDatabase.app.url);
    url.port = '1';
    await expect(Database.open({ url: url.href })).rejects.toThrow(DatabaseUnavailableError);
  });
});
