import { waitUntil } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { Database } from './database.js';
import { DatabaseReadOnlyError } from './errors.js';
import type { Tx } from './transaction.js';

describe('Database on a server that is read-only', () => {
  let fixture: StorageFixture;
  let database: Database;
  let tenant: string;

  const setReadOnly = (value: 'on' | 'off') =>
    fixture.queryAsSuperuser(
      `ALTER ROLE annals_app IN DATABASE ${fixture.testDatabase.name} SET default_transaction_read_only = ${value}`,
    );
  const addThread = (tx: Tx) =>
    tx.execute("INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ('ada', 'a', 1)");
  const readPid = (tx: Tx) => tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');

  beforeEach(async () => {
    fixture = await StorageFixture.open();
    tenant = await fixture.addTenant();
    // Applies to sessions from now on, as when an address leads to a standby.
    await setReadOnly('on');
    database = await Database.open({ ...fixture.testDatabase.app, poolSize: 2 });
  });
  afterEach(async () => {
    await database.close();
    await fixture.close();
  });

  it('refuses writes with DatabaseReadOnlyError, in a tenant and across tenants, and answers reads', async () => {
    await expect(database.inTenant(tenant, addThread)).rejects.toThrow(DatabaseReadOnlyError);
    const writing = database.callAcrossTenants('wake_deferred', [null, 'budget_exceeded', new Date(0), 0]);
    await expect(writing).rejects.toThrow(DatabaseReadOnlyError);
    expect(await database.readTenant(tenant, (tx) => tx.query('SELECT FROM thread_revisions'))).toEqual([]);
    expect(await database.isReadOnly()).toBe(true);
  });

  it('leaves a write in a transaction for reading an error of the code', async () => {
    const write = database.readTenant(tenant, addThread);
    await expect(write).rejects.not.toThrow(DatabaseReadOnlyError);
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });

  it('opens new connections once a write was refused, which lead to the new primary', async () => {
    // Not with `readTenant`, which answers before its connection is free again: the write would open another one.
    const [before] = await database.inTenant(tenant, readPid);
    // Sessions that are open stay read-only, as those to a demoted primary do.
    await setReadOnly('off');
    const write = () =>
      database.inTenant(tenant, addThread).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DatabaseReadOnlyError) return false;
          throw error;
        },
      );
    expect(await write()).toBe(false);
    await waitUntil(write, { describe: 'a write is accepted' });
    const [after] = await database.readTenant(tenant, readPid);
    expect(after!.pid).not.toBe(before!.pid);
    expect(await database.isReadOnly()).toBe(false);
    expect(database.poolStats.total).toBeLessThanOrEqual(2);
  });
});
