import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { StatementLimits } from './statement-limits.js';

/** Address of PostgreSQL: a server by URL, or the embedded one by its stream factory. */
export interface PgConnection {
  readonly url?: string;
  readonly stream?: () => Duplex;
  /** The role the connection acts as; the URL's own user unless given. */
  readonly role?: string;
  readonly poolSize?: number;
  /** Parses each statement once per connection. Disable where connections share a backend, or a pooler switches it. */
  readonly prepared?: boolean;
  readonly applicationName?: string;
  /** The installation's chain key; without it, transactions can neither write history nor accept messages. */
  readonly chainKey?: Uint8Array;
  /**
   * PostgreSQL ends a transaction that waits this long for its client, so that a frozen process does not keep a user's
   * row locked until its connection breaks. Only SQL is awaited in a transaction, so a working process never gets near
   * this limit.
   */
  readonly idleTransactionMs?: number;
  readonly limits?: StatementLimits;
  /** How long a caller waits for a connection of the pool, or for a new one. Default 10 000. */
  readonly acquireMs?: number;
}

const ACQUIRE_MS = 10_000;

const SEARCH_PATH = 'annals,public';

/** TypeORM would look for its driver beside the program, which in an image is a bundle without packages. */
const requireFromHere = createRequire(import.meta.url);

/** pg start-up options: settings for the whole connection, for a server and the embedded hub. */
function startupOptions(connection: PgConnection): string {
  const { statementMs, lockMs } = connection.limits ?? {};
  const settings = [
    `search_path=${SEARCH_PATH}`,
    ...(connection.role ? [`role=${connection.role}`] : []),
    ...(connection.idleTransactionMs ? [`idle_in_transaction_session_timeout=${connection.idleTransactionMs}`] : []),
    ...(statementMs ? [`statement_timeout=${statementMs}`] : []),
    ...(lockMs ? [`lock_timeout=${lockMs}`] : []),
    // Compiling a plan takes up to a second of CPU on each new connection, and no statement here runs long enough to gain
    // from it: with it, requests took twice as long beside minds.
    'jit=off',
    // Planning the query of memory.query each time took four times as long as running it. Every hot statement is bound
    // to a tenant and user by an index, so one generic plan serves all of them.
    ...(connection.prepared ? ['plan_cache_mode=force_generic_plan'] : []),
  ];
  return settings.map((setting) => `-c ${setting}`).join(' ');
}

/** TypeORM options shared by services and migrations. */
export function dataSourceOptions(connection: PgConnection): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    driver: requireFromHere('pg'),
    ...(connection.url ? { url: connection.url } : {}),
    ...(connection.applicationName ? { applicationName: connection.applicationName } : {}),
    schema: 'annals',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    extra: {
      options: startupOptions(connection),
      max: connection.poolSize ?? 16,
      keepAlive: true,
      // Statements of one transaction that do not depend on each other's results share a round trip.
      pipeline: true,
      connectionTimeoutMillis: connection.acquireMs ?? ACQUIRE_MS,
      ...(connection.stream ? { stream: connection.stream } : {}),
    },
  };
}

/** Runs `work` on connections of its own: for installation and inspection, outside of any tenant. */
export async function withDataSource<T>(
  options: DataSourceOptions,
  work: (source: DataSource) => Promise<T>,
): Promise<T> {
  const source = new DataSource(options);
  await source.initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}
