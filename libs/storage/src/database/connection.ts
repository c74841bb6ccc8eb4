import type { Duplex } from 'node:stream';
import type { DataSourceOptions } from 'typeorm';

/** Where PostgreSQL is: a server by URL, or the embedded one by its stream factory. */
export interface PgConnection {
  readonly url?: string;
  readonly stream?: () => Duplex;
  /** The role the connection acts as; the URL's own user unless given. */
  readonly role?: string;
  readonly poolSize?: number;
  /**
   * Parse each statement once per connection. Off where connections share one backend or a pooler swaps them without
   * carrying prepared statements.
   */
  readonly prepared?: boolean;
  readonly applicationName?: string;
  /**
   * PostgreSQL ends a transaction that waits for its client so long, so that a frozen process does not keep a user's row
   * locked until its connection breaks. Nothing but SQL is awaited in a transaction: an honest one never gets near.
   */
  readonly idleTransactionMs?: number;
}

const SEARCH_PATH = 'annals,public';

/** pg start-up options: settings that hold for the whole connection, on a server and on the embedded hub alike. */
function startupOptions(connection: PgConnection): string {
  const settings = [
    `search_path=${SEARCH_PATH}`,
    ...(connection.role ? [`role=${connection.role}`] : []),
    ...(connection.idleTransactionMs ? [`idle_in_transaction_session_timeout=${connection.idleTransactionMs}`] : []),
    // Planning the query of memory.query anew took four times as long as running it. Every hot statement is bound to a
    // tenant and user by an index, so one plan serves all of them.
    ...(connection.prepared ? ['plan_cache_mode=force_generic_plan'] : []),
  ];
  return settings.map((setting) => `-c ${setting}`).join(' ');
}

/** TypeORM options shared by services and migrations. */
export function dataSourceOptions(connection: PgConnection): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    ...(connection.url ? { url: connection.url } : {}),
    ...(connection.applicationName ? { applicationName: connection.applicationName } : {}),
    schema: 'annals',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    extra: {
      options: startupOptions(connection),
      max: connection.poolSize ?? 16,
      keepAlive: true,
      // Statements of one transaction that do not need each other's answers share a round trip.
      pipeline: true,
      connectionTimeoutMillis: 10_000,
      ...(connection.stream ? { stream: connection.stream } : {}),
    },
  };
}
