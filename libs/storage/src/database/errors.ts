import { isNativeError } from 'node:util/types';

/** PostgreSQL is unavailable: the caller responds with 503 or retries. Nothing was written partially. */
export class DatabaseUnavailableError extends Error {
  constructor(
    cause: unknown,
    message = 'PostgreSQL cannot be reached. Check that it runs and that the connection settings are right.',
  ) {
    super(message, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** PostgreSQL answers reads and refuses writes: a standby, a demoted primary, or one that was set to be read-only. */
export class DatabaseReadOnlyError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(
      cause,
      'PostgreSQL accepts no writes: the server is a standby or is set to be read-only. Writes go on once the address ' +
        'leads to the primary (docs/day-two.md#failover-of-postgresql).',
    );
    this.name = 'DatabaseReadOnlyError';
  }
}

/**
 * PostgreSQL ended a statement: it took longer than its limit, or an operator cancelled it. The same statement may be
 * fast enough once the server is less busy, or never.
 */
export class StatementEndedError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(
      cause,
      'PostgreSQL ended a statement that took longer than its limit (docs/day-two.md#limits-of-statements).',
    );
    this.name = 'StatementEndedError';
  }
}

/**
 * The user's row was written by a process with another ANNALS_SECRET_KEY: what this one appended to their history could
 * never be verified. Nothing was written.
 */
export class SecretKeyMismatchError extends DatabaseUnavailableError {
  constructor() {
    super(
      undefined,
      'The history of this user was written with another ANNALS_SECRET_KEY. Set that key in every process and restart ' +
        '(docs/operating.md#routine-tasks).',
    );
    this.name = 'SecretKeyMismatchError';
  }
}

// SQLSTATE classes that mean "try again": connection exceptions (08), shutdown and crash (57P01–57P05), too many
// connections (53300), serialization failure and deadlock (40001, 40P01), lock not available (55P03), transactions that
// were idle or open for too long (25P03, 25P04): their process was frozen.
const TRANSIENT_STATES = /^(08...|57P0[1-5]|53300|53400|40001|40P01|55P03|25P0[34])$/;
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
]);
const TRANSIENT_MESSAGES =
  /connection terminated|connection error|not queryable|client was closed|timeout exceeded when trying to connect|held by another open transaction/i;

/** True when the same statement may succeed later without a change. */
export function isTransientDatabaseError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  // Not instanceof: an error of another realm has another Error class.
  if (!isNativeError(error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (TRANSIENT_STATES.test(code) || TRANSIENT_CODES.has(code))) return true;
  return TRANSIENT_MESSAGES.test(error.message);
}

/** SQLSTATE of a write on a standby, on a read-only server, or in a transaction that was begun as read-only. */
const READ_ONLY_TRANSACTION = '25006';
/** SQLSTATE of a statement that its time limit or an operator ended. */
const QUERY_CANCELED = '57014';

/** What a caller gets for an error of a statement in a transaction that may write. */
export function toCallerError(error: unknown): unknown {
  if (sqlState(error) === READ_ONLY_TRANSACTION) return new DatabaseReadOnlyError(error);
  return toReaderError(error);
}

/** The same in a transaction that was begun as read-only: a write in it is an error of the code, not of the server. */
export function toReaderError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  if (sqlState(error) === QUERY_CANCELED) return new StatementEndedError(error);
  return isTransientDatabaseError(error) ? new DatabaseUnavailableError(error) : error;
}

/** SQLSTATE of a statement that waited too long for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATE of an insert whose key already exists. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a row that references a missing row. */
export const FOREIGN_KEY_VIOLATION = '23503';

/** SQLSTATE of a PostgreSQL error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = isNativeError(error) ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
