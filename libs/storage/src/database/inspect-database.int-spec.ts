import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { inspectDatabase } from './inspect-database.js';
import { dataSourceOptions, withDataSource } from './connection.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('inspectDatabase', () => {
  it('reports nothing missing after the migrations', async () => {
    const found = await inspectDatabase(database.app);
    expect(found).toMatchObject({ isServiceUser: true, missing: [], unprotected: [] });
    expect(found.serverVersion).toMatch(/^\d+/);
    expect(found.vectorVersion).toMatch(/^\d+\.\d+/);
    await expect(inspectDatabase(database.admin)).resolves.toMatchObject({ bypassesRowSecurity: true });
  });

  it('reports what is missing and what is not protected', async () => {
    await withDataSource(dataSourceOptions({ ...database.admin, poolSize: 1 }), async ({ manager }) => {
      await manager.query('ALTER TABLE annals.batches DROP COLUMN priority CASCADE');
      await manager.query('DROP TABLE annals.reservations CASCADE');
      await manager.query('ALTER TABLE annals.memories DISABLE ROW LEVEL SECURITY');
    });
    const { missing, unprotected } = await inspectDatabase(database.app);
    expect(missing.toSorted()).toEqual(['batches.priority', 'reservations']);
    expect(unprotected).toEqual(['memories']);
  });
});
