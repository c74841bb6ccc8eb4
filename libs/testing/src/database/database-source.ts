import type { TestDatabaseAddress } from './test-database.js';

/** Creates fresh, migrated databases. */
export interface DatabaseSource {
  create(): Promise<TestDatabaseAddress>;
  /** Does nothing for an unknown name. */
  drop(name: string): Promise<void>;
  /** A migrated data folder of the embedded database, to be copied. */
  dataFolder?(): Promise<string>;
  /** Drops all databases that still exist. */
  stop(): Promise<void>;
}
