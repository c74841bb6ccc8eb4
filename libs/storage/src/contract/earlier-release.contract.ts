import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../database/connection.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { StorageBench } from './storage-bench.contract.js';

/** Makes the schema anew as it was after the first `count` migrations. */
export async function installEarlierRelease(bench: StorageBench, count: number): Promise<void> {
  await bench.look('DROP SCHEMA annals CASCADE; DROP EXTENSION vector');
  const source = new DataSource({
    ...dataSourceOptions({ ...bench.place.admin, poolSize: 1, prepared: false }),
    migrations: MIGRATIONS.slice(0, count),
    migrationsTableName: 'schema_migrations',
  });
  await source.initialize();
  await source.query('CREATE SCHEMA IF NOT EXISTS annals');
  await source.runMigrations();
  await source.destroy();
}
