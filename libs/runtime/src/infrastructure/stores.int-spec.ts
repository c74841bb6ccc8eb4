import { loadConfig } from '@annals/config';
import { Database } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { distributedStores } from './stores.js';

const configure = (url: string) =>
  loadConfig(['database', 'redis', 'queue'], {
    ANNALS_DATABASE_URL: url,
    ANNALS_DB_POOL_SIZE: '1',
    ANNALS_REDIS_URL: 'redis://127.0.0.1:1',
  });

const TENANT = '019e0000-0000-7000-8000-000000000001';

describe('distributedStores', () => {
  let test: TestDatabase;
  let database: Database | undefined;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => database?.close());
  afterAll(() => test.drop());

  it.each(['admin', 'app'] as const)('applies row-level security to a service that logs in as %s', async (login) => {
    database = await Database.open(distributedStores(configure(test[login].url), 'annals-test').database);
    const [row] = await database.inTenant(TENANT, (tx) =>
      tx.query<{ bypasses: boolean }>(
        'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
      ),
    );
    expect(row).toEqual({ bypasses: false });
  });

  it.each([
    ['requests', '15s', '5s'],
    ['work', '1min', '5s'],
  ] as const)(
    'limits statements of a process for %s to %s, and those of recall to %s',
    async (purpose, own, recall) => {
      const stores = distributedStores(configure(test.app.url), 'annals-test', purpose);
      database = await Database.open(stores.database);
      const readLimit = (of: Database) =>
        of.inTenant(TENANT, (tx) => tx.query(`SELECT current_setting('statement_timeout') AS ends_after`));
      expect(await readLimit(database)).toEqual([{ ends_after: own }]);
      expect(await readLimit(database.forPath('recall'))).toEqual([{ ends_after: recall }]);
      expect(await readLimit(database.forPath('bulk'))).toEqual([{ ends_after: '5min' }]);
    },
  );
});
