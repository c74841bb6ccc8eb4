import type { QueueBackendConfig } from '@annals/messaging';
import type { PgConnection } from '@annals/storage';

/** `embedded`: PGlite in a thread of the test run. `services`: PostgreSQL and Redis. */
export type TestProfile = 'embedded' | 'services';

/** How to connect to one fresh, migrated database. Plain data. */
export interface TestDatabaseAddress {
  readonly profile: TestProfile;
  /** Unique within the machine. */
  readonly name: string;
  /** A superuser's connection. */
  readonly admin: PgConnection & { readonly url: string };
  /** The connection of services: role annals_app, under row-level security. */
  readonly app: PgConnection & { readonly url: string };
  /** Only with profile `services`. Put `prefix` before every key; it is unique to this database. */
  readonly redis?: { readonly url: string; readonly prefix: string };
  /** Configuration of the queue, for `createQueueBackend`. */
  readonly queue: QueueBackendConfig;
}

export interface TestDatabase extends TestDatabaseAddress {
  /** Drops the database. Close everything that uses it first. */
  drop(): Promise<void>;
}

/** Migrates the schema of a fresh database, as `migrate` of `@annals/storage` does. */
export type MigrateTestDatabase = (admin: PgConnection, options: { readonly appPassword: string }) => Promise<unknown>;

/** The role of the services. On a server it logs in with this password, in tests only. */
export const APP_ROLE = 'annals_app';
export const APP_PASSWORD = 'annals-app-in-tests';

/** Creates fresh, migrated databases. */
export interface DatabaseSource {
  create(): Promise<TestDatabaseAddress>;
  /** Does nothing for an unknown name. */
  drop(name: string): Promise<void>;
  /** Drops all databases that still exist. */
  stop(): Promise<void>;
}
