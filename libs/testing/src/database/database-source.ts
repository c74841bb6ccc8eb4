import type { TestDatabaseAddress } from './test-database.js';

/** Hands out fresh, migrated databases. */
export interface DatabaseSource {
  create(): Promise<TestDatabaseAddress>;
  /** Does nothing for a name it does not know. */
  drop(name: string): Promise<void>;
  /** A migrated data folder of the embedded database, to be copied. */
  dataFolder?(): Promise<string>;
  /** Drops all that is left. */
  stop(): Promise<void>;
}
