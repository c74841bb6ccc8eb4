import type { DataSource } from 'typeorm';
import * as entities from '../entities/index.js';
import { dataSourceOptions, type PgConnection, withDataSource } from './connection.js';

/** Result of an inspection of a database, which changes nothing. */
export interface DatabaseInspection {
  /** `17.11`. */
  readonly serverVersion: string;
  /** A standby, or set to be read-only. */
  readonly isReadOnly: boolean;
  /** Whether a pooler is between this process and the server: the backend is another than the one that was announced. */
  readonly isPooled: boolean;
  /** Whether unqualified names are those of Annals: a pooler may drop the settings of the connection. */
  readonly hasSearchPath: boolean;
  /** Connections that it allows to users without special rights. */
  readonly maxConnections: number;
  /** Its clock, in epoch ms. */
  readonly clockMs: number;
  /** Null: the extension is not installed in this database. */
  readonly vectorVersion: string | null;
  /** The login role of the connection. */
  readonly user: string;
  /** Whether the role may act as `annals_app`. */
  readonly isServiceUser: boolean;
  /** Whether the role is a superuser or bypasses row-level security. */
  readonly bypassesRowSecurity: boolean;
  /** Tables and columns that this version needs and the database lacks, such as `batches` or `batches.priority`. */
  readonly missing: readonly string[];
  /** Tables with a tenant column whose row-level security is disabled. */
  readonly unprotected: readonly string[];
}

const SERVER = `
  SELECT current_setting('server_version') AS server_version,
    current_setting('transaction_read_only')::boolean AS is_read_only,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      AS max_connections,
    pg_backend_pid() AS backend,
    'annals' = ANY (string_to_array(replace(current_setting('search_path'), ' ', ''), ',')) AS has_search_path,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock_ms,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector_version,
    session_user::text AS "user",
    (SELECT bool_or(pg_has_role(session_user, oid, 'MEMBER')) FROM pg_roles WHERE rolname = 'annals_app') AS is_service,
    (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS bypasses`;

const COLUMNS = `
  SELECT c.relname AS "table", c.relrowsecurity AS protected, a.attname AS "column"
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'annals'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p')`;

interface ServerRow {
  server_version: string;
  is_read_only: boolean;
  backend: number;
  has_search_path: boolean;
  max_connections: number;
  clock_ms: number;
  vector_version: string | null;
  user: string;
  is_service: boolean | null;
  bypasses: boolean;
}

interface ColumnRow {
  table: string;
  protected: boolean;
  column: string;
}

/** Reads the catalogs, for which any login has permission. Throws what PostgreSQL or the connection throws. */
export async function inspectDatabase(connection: PgConnection): Promise<DatabaseInspection> {
  const options = dataSourceOptions({ ...connection, poolSize: 1, prepared: false });
  return withDataSource({ ...options, entities }, async (source) => {
    const { server, announced } = await inspectServer(source);
    const columns = await source.query<ColumnRow[]>(COLUMNS);
    return {
      isPooled: announced !== server.backend,
      hasSearchPath: server.has_search_path,
      serverVersion: server.server_version.split(' ', 1)[0]!,
      isReadOnly: server.is_read_only,
      maxConnections: server.max_connections,
      clockMs: server.clock_ms,
      vectorVersion: server.vector_version,
      user: server.user,
      isServiceUser: server.is_service === true,
      bypassesRowSecurity: server.bypasses,
      missing: listMissing(source, columns),
      unprotected: columns.filter((row) => row.column === 'tenant_id' && !row.protected).map(({ table }) => table),
    };
  });
}

/** On one connection: the backend that the server has announced for it, and the one that answers. */
async function inspectServer(source: DataSource): Promise<{ server: ServerRow; announced: number | null }> {
  const runner = source.createQueryRunner();
  try {
    const { processID: announced } = (await runner.connect()) as { processID: number | null };
    const [server] = (await runner.query(SERVER)) as [ServerRow];
    return { server, announced };
  } finally {
    await runner.release();
  }
}

function listMissing(source: DataSource, found: readonly ColumnRow[]): string[] {
  const tables = new Set(found.map(({ table }) => table));
  const columns = new Set(found.map(({ table, column }) => `${table}.${column}`));
  return source.entityMetadatas.flatMap(({ tableName, columns: needed }) =>
    tables.has(tableName)
      ? needed.map(({ databaseName }) => `${tableName}.${databaseName}`).filter((name) => !columns.has(name))
      : [tableName],
  );
}
