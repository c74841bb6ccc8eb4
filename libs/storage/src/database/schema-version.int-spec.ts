import { StorageFixture } from '../fixtures/storage.fixture.js';
import { MIGRATIONS } from '../migrations/index.js';
import { isMigrationPending, SCHEMA_VERSION } from './schema-version.js';

describe('isMigrationPending', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  const setLast = (timestamp: number) =>
    fixture.queryAsSuperuser(
      `UPDATE schema_migrations SET timestamp = ${timestamp} WHERE id = (SELECT max(id) FROM schema_migrations)`,
    );

  it('compares with the last migration of this release', () => {
    expect(MIGRATIONS.at(-1)!.name).toMatch(new RegExp(`${SCHEMA_VERSION}$`));
  });

  it('is false on a migrated database, and on one that a newer release has migrated', async () => {
    expect(await isMigrationPending(fixture.database)).toBe(false);
    await setLast(SCHEMA_VERSION + 1);
    expect(await isMigrationPending(fixture.database)).toBe(false);
  });

  it('is true while a migration of this release has not run', async () => {
    await setLast(SCHEMA_VERSION - 1);
    expect(await isMigrationPending(fixture.database)).toBe(true);
  });
});
