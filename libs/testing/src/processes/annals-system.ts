import pg from 'pg';
import type { TestProfile } from '../database/test-database.js';
import type { AnnalsProcess, AppName } from './annals-process.js';

/** Runs one statement as a superuser, in the schema of Annals. */
export type AdminQuery = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** Annals as it is deployed: real processes, reached over HTTP. */
export interface AnnalsSystem {
  readonly profile: TestProfile;
  /** URL of the API; of each gateway in turn when there are several. */
  nextUrl(): string;
  /** A key of tenant `default` with every scope of a tenant. */
  readonly tenantKey: string;
  readonly operatorKey: string;
  readonly processes: readonly AnnalsProcess[];
  /** The processes of one app; with the standalone app, its one process for each. */
  processesOf(app: Exclude<AppName, 'standalone'>): readonly AnnalsProcess[];
  /** All output of all processes. */
  readonly logs: string;
  /** Last lines of every process, for error messages. */
  readonly lastLines: string;
  /**
   * Runs `work` with queries as a superuser. The embedded database allows one process at a time: the process is stopped
   * before and started again afterwards.
   */
  inspect<T>(work: (query: AdminQuery) => Promise<T>): Promise<T>;
  /** All data of the queues, including finished jobs, as text. Needs running processes. */
  dumpQueues(): Promise<string>;
  /** Ends all processes and drops the database. */
  close(): Promise<void>;
}

/** Runs `work` with queries of one connection, in the schema of Annals. */
export async function inspectDatabase<T>(
  connection: pg.ClientConfig,
  work: (query: AdminQuery) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, options: '-c search_path=annals,public' });
  try {
    await client.connect();
    return await work(async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
      const { rows } = await client.query<Row>(sql, [...parameters]);
      return rows;
    });
  } finally {
    await client.end();
  }
}
