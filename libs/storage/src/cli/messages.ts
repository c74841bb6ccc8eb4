const VALID = {
  ANNALS_OPERATOR_KEY: 'The operator key of ANNALS_OPERATOR_KEY is valid.',
  ANNALS_BOOTSTRAP_KEY: 'The key of ANNALS_BOOTSTRAP_KEY is valid for the tenant "default".',
} as const;

/** The state of a configured key, as a sentence. */
export function describeKey(variable: keyof typeof VALID, isValid: boolean): string {
  return isValid
    ? VALID[variable]
    : `The key of ${variable} was revoked and remains revoked: set ${variable} to a new key.`;
}

const OWNER = 'Give ANNALS_ADMIN_DATABASE_URL a role that may create roles, schemas and extensions.';
const ADDRESS = 'The server cannot be reached: check host and port in ANNALS_ADMIN_DATABASE_URL.';
const LOGIN = 'The server rejects the login: check user and password in ANNALS_ADMIN_DATABASE_URL.';
const VECTOR = 'The extension pgvector is not installed on the server: install it, then run the migration again.';

const LOCKED =
  'Other transactions held a table the whole time, nothing was changed: end long ones (pg_stat_activity), such as a ' +
  'dump, then run the migration again.';

const READ_ONLY =
  'The server is read-only: set ANNALS_ADMIN_DATABASE_URL to the primary, or wait until a failover is over.';

/** SQLSTATE or system code of the most frequent causes of a failed migration, and what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: ADDRESS,
  ENOTFOUND: ADDRESS,
  EAI_AGAIN: ADDRESS,
  ETIMEDOUT: ADDRESS,
  '28P01': LOGIN,
  '28000': LOGIN,
  '3D000': 'The server has no database of this name: create it first.',
  '25006': READ_ONLY,
  '42501': OWNER,
  '0A000': VECTOR,
  '58P01': VECTOR,
  '55P03': LOCKED,
  '40P01': LOCKED,
};

/** Why the database could not be prepared, as a sentence without the text of the error. */
export function explainFailure(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `The database could not be prepared (${reason}). ${ADVICE[reason] ?? `Is it PostgreSQL with pgvector? ${OWNER}`}`;
}
