import type { Config } from '@annals/config';
import type { Clock } from '@annals/domain';
import {
  type DatabaseInspection,
  DataFolderInUseError,
  DataFolderUnusableError,
  inspectDatabase,
  openEmbeddedDatabase,
  type PgConnection,
} from '@annals/storage';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, type Finding, ok, warn } from '../report.js';
import { readStoredSecret } from '../read-stored-secret.js';
import { inspectSecretKey } from './check-secret-key.js';
import { inspectVectors, type VectorInspection } from './check-vectors.js';

const MAX_NAMED = 3;

export async function inspectDatabaseServer(
  { database }: { readonly database: Pick<Config<'database'>['database'], 'url' | 'poolSize' | 'prepared'> },
  clock: Pick<Clock, 'now'>,
): Promise<Finding[]> {
  try {
    const found = await inspectDatabase({ url: database.url, applicationName: 'annals-doctor' });
    return [...evaluateDatabase(found), ...evaluateServerSettings(found, { ...database, now: clock.now() })];
  } catch (error) {
    return [explainDatabaseFailure(error)];
  }
}

/** Inspects the database in the data folder, unless it does not exist yet or is in use. */
export async function inspectDataFolder(
  { embedded }: Config<'embedded'>,
  vectors: VectorInspection,
): Promise<Finding[]> {
  const folder = resolve(embedded.dataDir);
  if (!existsSync(join(folder, 'database'))) {
    return [ok('database', `The data folder ${folder} will be created at the first start.`)];
  }
  try {
    const opened = await openEmbeddedDatabase({ location: { folder } });
    try {
      return await evaluateOpenedDatabase({ stream: opened.createStream }, embedded, vectors);
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [explainFolderFailure(error, folder)];
  }
}

async function evaluateOpenedDatabase(
  connection: PgConnection,
  embedded: Config<'embedded'>['embedded'],
  vectors: VectorInspection,
): Promise<Finding[]> {
  const folder = resolve(embedded.dataDir);
  const { serverVersion, missing } = await inspectDatabase(connection);
  const isUpToDate = missing.length === 0;
  const state = isUpToDate ? 'its schema is up to date' : 'the next start brings its schema up to date';
  const found = ok('database', `The database in ${folder} opens (PostgreSQL ${serverVersion}); ${state}.`);
  if (!isUpToDate) return [found];
  const secretKey = embedded.secretKey ?? readStoredSecret(folder);
  const keys = secretKey === null ? null : { ...embedded, secretKey };
  return [found, await inspectSecretKey(connection, keys), await inspectVectors(connection, vectors)];
}

function explainFolderFailure(error: unknown, folder: string): Finding {
  if (error instanceof DataFolderInUseError) {
    return ok('database', `The database in ${folder} is in use by a running Annals, so it was not inspected.`);
  }
  const reason = error instanceof DataFolderUnusableError ? error.message : `The database in ${folder} does not open.`;
  return fail('database', reason, 'Start Annals once to see why, or set ANNALS_DATA_DIR to another folder.');
}

/** Findings from the system catalogs of a PostgreSQL server (distributed profile). */
export function evaluateDatabase(found: DatabaseInspection): Finding[] {
  return [evaluateServer(found), evaluateRole(found), evaluateSchema(found), ...evaluateRowLevelSecurity(found)];
}

/** What the rest of the installation needs of the server's settings. */
export function evaluateServerSettings(
  { serverVersion, vectorVersion, isReadOnly, isPooled, hasSearchPath, maxConnections, clockMs }: DatabaseInspection,
  { poolSize, prepared, now }: { readonly poolSize: number; readonly prepared: boolean; readonly now: number },
): Finding[] {
  return [
    ...evaluateVersions(serverVersion, vectorVersion),
    isReadOnly
      ? fail(
          'database.writes',
          'PostgreSQL is read-only: a standby, or set so.',
          'Let ANNALS_DATABASE_URL lead to the primary.',
        )
      : ok('database.writes', 'PostgreSQL accepts writes.'),
    ...(isPooled ? [evaluatePooler(prepared, hasSearchPath)] : []),
    evaluateConnections(maxConnections, poolSize),
    evaluateClock(Math.abs(clockMs - now)),
  ];
}

const POOLER_SETTINGS = '(docs/day-two.md, Connection poolers)';

function evaluatePooler(prepared: boolean, hasSearchPath: boolean): Finding {
  const check = 'database.pooler';
  const pooler = 'A connection pooler is between this process and PostgreSQL';
  if (!hasSearchPath) {
    const found = `${pooler} and drops the settings of connections: no statement finds its tables.`;
    return fail(check, found, `Set them for the role annals_app ${POOLER_SETTINGS}.`);
  }
  if (!prepared) return ok(check, `${pooler}, and no statements are prepared.`);
  const found = `${pooler}: one that pools transactions may not keep the statements that are prepared.`;
  return warn(check, found, `Set ANNALS_DB_PREPARED to false, unless it pools sessions ${POOLER_SETTINGS}.`);
}

function evaluateVersions(serverVersion: string, vectorVersion: string | null): Finding[] {
  const old = [
    ...(isBelow(serverVersion, MIN_SERVER)
      ? [`PostgreSQL ${serverVersion} is older than ${MIN_SERVER.join('.')}`]
      : []),
    ...(vectorVersion !== null && isBelow(vectorVersion, MIN_VECTOR)
      ? [`pgvector ${vectorVersion} is older than ${MIN_VECTOR.join('.')}`]
      : []),
  ];
  if (old.length === 0) return [];
  return [warn('database.versions', `${old.join(', ')}, with which Annals is tested.`, 'Upgrade it.')];
}

const MIN_SERVER = [17, 0] as const;
const MIN_VECTOR = [0, 7] as const;

function isBelow(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ofMajor < major || (ofMajor === major && ofMinor < minor);
}

/** Gateway, extraction, persistence, tom-insight and consolidation-worker, one of each. */
const PROCESSES = 5;

function evaluateConnections(maxConnections: number, poolSize: number): Finding {
  const processes = Math.floor(maxConnections / poolSize);
  const check = 'database.connections';
  const found = `PostgreSQL allows ${maxConnections} connections: enough for ${processes} processes with ANNALS_DB_POOL_SIZE=${poolSize}.`;
  if (processes >= PROCESSES) return ok(check, found);
  return warn(check, found, 'Raise max_connections or lower ANNALS_DB_POOL_SIZE, so that every replica has its pool.');
}

/** Leases and budgets are compared with the clocks of processes; they last ten seconds and more. */
const MAX_SKEW_MS = 5_000;

function evaluateClock(skewMs: number): Finding {
  const check = 'database.clock';
  const seconds = Math.round(skewMs / 1_000);
  if (skewMs <= MAX_SKEW_MS) return ok(check, 'The clocks of PostgreSQL and of this machine agree.');
  return warn(
    check,
    `The clocks of PostgreSQL and of this machine differ by ${seconds} s: leases end too early or too late.`,
    'Synchronize the clocks of all machines (NTP).',
  );
}

function evaluateServer({ serverVersion, vectorVersion }: DatabaseInspection): Finding {
  const server = `PostgreSQL ${serverVersion} answers`;
  return vectorVersion === null
    ? fail('database', `${server}, but pgvector is not installed in this database.`, 'Run the migration.')
    : ok('database', `${server}, with pgvector ${vectorVersion}.`);
}

function evaluateRole({ user, isServiceUser, bypassesRowSecurity }: DatabaseInspection): Finding {
  const check = 'database.role';
  if (!isServiceUser) {
    const found = `The database user ${user} is not a member of the role annals_app, which the services require.`;
    return fail(check, found, 'Log in as annals_app in ANNALS_DATABASE_URL; the migration creates that role.');
  }
  if (!bypassesRowSecurity) return ok(check, `Row-level security applies to the database user ${user}.`);
  const found = `The database user ${user} can bypass row-level security; the services switch to the role annals_app.`;
  return warn(check, found, 'Log in as annals_app in ANNALS_DATABASE_URL.');
}

function evaluateSchema({ missing }: DatabaseInspection): Finding {
  if (missing.length === 0) return ok('database.schema', 'The schema is up to date.');
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const found = `The schema is older than this version: ${missing.slice(0, MAX_NAMED).join(', ')}${more} are missing.`;
  return fail(
    'database.schema',
    found,
    'Run the migration (libs/storage/dist/cli/migrate.js, or the service `migrate`).',
  );
}

function evaluateRowLevelSecurity({ unprotected }: DatabaseInspection): Finding[] {
  if (unprotected.length === 0) return [];
  const found = `Row-level security is disabled for ${unprotected.join(', ')}: tenants could read each other's data.`;
  const advice = 'Enable it again for each table: ALTER TABLE annals.… ENABLE ROW LEVEL SECURITY.';
  return [fail('database.isolation', found, advice)];
}

const ADDRESS = 'Check host and port in ANNALS_DATABASE_URL, and that the server runs.';
const LOGIN = 'Check user and password in ANNALS_DATABASE_URL.';

/** Finding and advice by SQLSTATE or system error code. */
const FAILURES: Readonly<Record<string, readonly [found: string, advice: string]>> = {
  '28P01': ['PostgreSQL refuses the login.', LOGIN],
  '28000': ['PostgreSQL refuses the login.', LOGIN],
  '3D000': ['PostgreSQL has no database of that name.', 'Check the name at the end of ANNALS_DATABASE_URL.'],
  '53300': ['PostgreSQL has no free connection.', 'Raise its max_connections, or lower ANNALS_DB_POOL_SIZE.'],
};

/** Finding for a database that could not be inspected. Leaves out the error's own message, which may hold a secret. */
export function explainDatabaseFailure(error: unknown): Finding {
  const code = (error as { code?: unknown } | null)?.code;
  const [found, advice] = FAILURES[String(code)] ?? [
    `PostgreSQL does not answer${typeof code === 'string' ? ` (${code})` : ''}.`,
    ADDRESS,
  ];
  return fail('database', found, advice);
}
