import type { DatabaseInspection } from '@annals/storage';
import { fail, type Finding, ok, warn } from '../report.js';

const MAX_NAMED = 3;

/** Findings from the system catalogs of a PostgreSQL server (distributed profile). */
export function evaluateDatabase(found: DatabaseInspection): Finding[] {
  return [evaluateServer(found), evaluateRole(found), evaluateSchema(found), ...evaluateRowLevelSecurity(found)];
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
