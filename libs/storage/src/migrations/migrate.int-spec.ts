import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

const NAMES = MIGRATIONS.map((migration) => migration.name);

describe('migrate', () => {
  let fixture: StorageFixture;

  beforeEach(async () => {
    fixture = await StorageFixture.open();
  });
  afterEach(() => fixture.close());

  const emptyDatabase = () => fixture.queryAsSuperuser('DROP SCHEMA annals CASCADE; DROP EXTENSION vector');
  const readLedger = async () => {
    const rows = await fixture.queryAsSuperuser<{ name: string }>(
      'SELECT name FROM annals.schema_migrations ORDER BY id',
    );
    return rows.map((row) => row.name);
  };

  it('brings an empty database up to date', async () => {
    await emptyDatabase();
    expect(await migrate(fixture.testDatabase.admin)).toEqual(NAMES);
    expect(await readLedger()).toEqual(NAMES);
    expect(await fixture.database.callAcrossTenants('list_tenants', [null, 1])).toEqual([]);
  });

  it('does nothing the second time', async () => {
    const tenant = await fixture.addTenant();
    expect(await migrate(fixture.testDatabase.admin)).toEqual([]);
    expect(await readLedger()).toEqual(NAMES);
    expect(await fixture.queryAsSuperuser('SELECT tenant_id FROM tenants')).toEqual([{ tenant_id: tenant }]);
  });

  it('leaves nothing of a migration that fails', async () => {
    await emptyDatabase();
    // TypeORM prints what the error says as well.
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    // In the way of the second table.
    await fixture.queryAsSuperuser('CREATE SCHEMA annals; CREATE TABLE annals.operator_keys ()');
    await expect(migrate(fixture.testDatabase.admin)).rejects.toThrow(/"operator_keys" already exists/);
    print.mockRestore();
    expect(await fixture.queryAsSuperuser("SELECT to_regclass('annals.tenants') AS found")).toEqual([{ found: null }]);
    await fixture.queryAsSuperuser('DROP TABLE annals.operator_keys');
    expect(await migrate(fixture.testDatabase.admin)).toEqual(NAMES);
  });
});
