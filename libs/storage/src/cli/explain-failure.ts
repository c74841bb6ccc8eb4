const OWNER = 'Give ANNALS_ADMIN_DATABASE_URL a role that may create roles, schemas and extensions.';
const ADDRESS = 'Nothing answers there: check host and port in ANNALS_ADMIN_DATABASE_URL.';
const LOGIN = 'The server refuses the login: check user and password in ANNALS_ADMIN_DATABASE_URL.';
const VECTOR = 'The server lacks pgvector: install it there, then run the migration again.';

/** SQLSTATE or system code of what stops a migration most often, and what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: ADDRESS,
  ENOTFOUND: ADDRESS,
  EAI_AGAIN: ADDRESS,
  ETIMEDOUT: ADDRESS,
  '28P01': LOGIN,
  '28000': LOGIN,
  '3D000': 'The server has no database of that name: create it first.',
  '42501': OWNER,
  '0A000': VECTOR,
  '58P01': VECTOR,
};

/** Why the database could not be prepared, as a sentence without anything the error itself says. */
export function explainFailure(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `The database could not be prepared (${reason}). ${ADVICE[reason] ?? `Is it PostgreSQL with pgvector? ${OWNER}`}`;
}
