import type { Database } from './database.js';

/** Time stamp of the last migration of this release, by which its name ends. */
export const SCHEMA_VERSION = 1_764_790_000_000;

/** Whether the database lacks a migration of this release. False on a database that a newer release has migrated. */
export async function isMigrationPending(database: Database): Promise<boolean> {
  return Number(await database.callScalarAcrossTenants<string | null>('schema_version')) < SCHEMA_VERSION;
}
