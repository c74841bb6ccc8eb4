import type { QueueBackendConfig } from '@annals/messaging';
import type { PgConnection } from '@annals/storage';

/** `embedded`: PGlite in a thread of the test run. `services`: PostgreSQL and Redis. */
export type TestProfile = 'embedded' | 'services';

/** Where one fresh, migrated database answers. Plain data. */
export interface TestDatabaseAddress {
  readonly profile: TestProfile;
  /** Unique within the machine. */
  readonly name: string;
  /** A superuser's connection. */
  readonly admin: PgConnection & { readonly url: string };
  /** What services use: role annals_app, under row-level security. */
  readonly app: PgConnection & { readonly url: string };
  /** Only with profile `services`. Put `prefix` before every key: it is this database's own. */
  readonly redis?: { readonly url: string; readonly prefix: string };
  /** Where jobs wait, to be given to `createQueueBackend`. */
  readonly queue: QueueBackendConfig;
}

export interface TestDatabase extends TestDatabaseAddress {
  /** Gives it back. Close what uses it first. */
  drop(): Promise<void>;
}

/** Brings a fresh database's schema up to date, as `migrate` of `@annals/storage` does. */
export type MigrateTestDatabase = (admin: PgConnection, options: { readonly appPassword: string }) => Promise<unknown>;

/** The role that services connect as. On a server it logs in with this password, in tests only. */
export const APP_ROLE = 'annals_app';
export const APP_PASSWORD = 'annals-app-in-tests';
