import { DataSource } from 'typeorm';
import { dataSourceOptions, type PgConnection } from './connection.js';

/** Runs statements as the schema's owner, for installation only: row-level security does not apply to an owner. */
export async function withOwnerConnection<T>(
  connection: PgConnection,
  work: (query: (sql: string, parameters?: unknown[]) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const source = new DataSource(dataSourceOptions({ ...connection, poolSize: 1 }));
  await source.initialize();
  try {
    return await work((sql, parameters) => source.query(sql, parameters));
  } finally {
    await source.destroy();
  }
}
