import { Database } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { distributedStores } from './stores.js';

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
    const { url } = test[login];
    const stores = distributedStores(
      {
        database: { url, poolSize: 1, prepared: false },
        redis: { url: 'redis://127.0.0.1:1' },
        queue: { prefix: 'annals' },
      },
      'annals-test',
    );
    database = await Database.open(stores.database);
    const [row] = await database.inTenant(TENANT, (tx) =>
      tx.query<{ bypasses: boolean }>(
        'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
      ),
    );
    expect(row).toEqual({ bypasses: false });
  });
});
