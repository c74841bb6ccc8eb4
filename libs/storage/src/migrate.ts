import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { dataSourceOptions, type PgConnection, withDataSource } from './database/connection.js';
import { sqlState } from './database/errors.js';
import { MIGRATIONS } from './migrations/index.js';

// "ANNA" in ASCII; held while migrations run, so that concurrently starting processes are serialized.
const MIGRATION_LOCK = 0x414e4e41;

export interface MigrationOptions {
  /** Sets the password of the services' login (role annals_app). */
  readonly appPassword?: string;
  /** How often it is tried while transactions of others hold a table for seconds. Default 10. */
  readonly lockAttempts?: number;
  /** Called when an attempt has ended so, before the next one. */
  readonly onLocked?: (attempt: number) => void;
}

/** Migrates the schema as its owner to the current version. Returns the names of the migrations that ran. */
export async function migrate(connection: PgConnection, options: MigrationOptions = {}): Promise<string[]> {
  const dataSource = {
    ...dataSourceOptions({ ...connection, poolSize: 2, prepared: false }),
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'all',
  } as const;
  return withDataSource(dataSource, async (source) => {
    const holder = source.createQueryRunner();
    // On the embedded database a session lock would be shared by all connections; there one process owns the folder.
    if (!connection.stream) await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      // TypeORM's table of migrations is in the same schema, so the schema has to exist before TypeORM reads it.
      await holder.query('CREATE SCHEMA IF NOT EXISTS annals');
      const ran = await runUnlocked(() => source.runMigrations(), options);
      if (options.appPassword !== undefined) await setAppPassword(source, options.appPassword);
      return ran.map((migration) => migration.name);
    } finally {
      if (!connection.stream) await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await holder.release();
    }
  });
}

/** Lock not available, deadlock. */
const LOCKED_STATES = ['55P03', '40P01'];
/** In between, the writers that have waited for the migration have their turn. */
const LOCK_PAUSE_MS = 1_000;

async function runUnlocked<T>(
  run: () => Promise<T>,
  { lockAttempts = 10, onLocked }: MigrationOptions,
  attempt = 1,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!LOCKED_STATES.includes(sqlState(error) ?? '') || attempt >= lockAttempts) throw error;
  }
  onLocked?.(attempt);
  await delay(LOCK_PAUSE_MS);
  return runUnlocked(run, { lockAttempts, ...(onLocked ? { onLocked } : {}) }, attempt + 1);
}

// ALTER ROLE takes no parameters, so the server quotes the literal with format(%L).
async function setAppPassword(source: DataSource, password: string) {
  const parameters = ['ALTER ROLE annals_app PASSWORD %L', password];
  const [row] = await source.query<{ statement: string }[]>('SELECT format($1, $2::text) AS statement', parameters);
  await source.query(row!.statement);
}
