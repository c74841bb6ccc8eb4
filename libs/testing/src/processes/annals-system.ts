import type { TestProfile } from '../database/test-database.js';
import type { AnnalsProcess } from './annals-process.js';

/** Runs one statement as a superuser, in the schema of Annals. */
export type AdminQuery = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** Annals as it is deployed: real processes, reached over HTTP. */
export interface AnnalsSystem {
  readonly profile: TestProfile;
  /** Where the API answers; each gateway in turn when there are several. */
  nextUrl(): string;
  /** A key of tenant `default` with every scope of a tenant. */
  readonly tenantKey: string;
  readonly operatorKey: string;
  readonly processes: readonly AnnalsProcess[];
  /** The processes of one app; in one process, that one for each. */
  processesOf(app: 'gateway' | 'extraction' | 'persistence'): readonly AnnalsProcess[];
  /** All that was written to any log or screen. */
  readonly logs: string;
  /** Last lines of every process, for the message of a failure. */
  readonly lastLines: string;
  /**
   * Lets `look` at the database as a superuser. The embedded database has one process at a time: there the process is
   * stopped for it and started again.
   */
  inspect<T>(look: (query: AdminQuery) => Promise<T>): Promise<T>;
  /** Everything that waits on or passed through the queues, as text. Needs running processes. */
  dumpQueues(): Promise<string>;
  /** Ends all processes and gives the database back. */
  close(): Promise<void>;
}
