import { DataSource, type EntityManager } from 'typeorm';
import * as entities from '../entities/index.js';
import { dataSourceOptions, type PgConnection } from './connection.js';

/** Runs statements as the schema's owner, for installation only: row-level security does not apply to an owner. */
export async function withOwnerConnection<T>(
  connection: PgConnection,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const source = new DataSource({ ...dataSourceOptions({ ...connection, poolSize: 1 }), entities });
  await source.initialize();
  try {
    return await work(source.manager);
  } finally {
    await source.destroy();
  }
}
