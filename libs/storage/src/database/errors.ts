import { isNativeError } from 'node:util/types';

/** PostgreSQL is unavailable: the caller responds with 503 or retries. Nothing was written partially. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL cannot be reached. Check that it runs and that the connection settings are right.', { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * The user's row was written by a process with another ANNALS_SECRET_KEY: what this one appended to their history could
 * never be verified. Nothing was written.
 */
export class SecretKeyMismatchError extends DatabaseUnavailableError {
  constructor() {
    super(undefined);
    this.name = 'SecretKeyMismatchError';
    this.message =
      'The history of this user was written with another ANNALS_SECRET_KEY. Set that key in every process and restart ' +
      '(docs/operating.md#routine-tasks).';
  }
}

// SQLSTATE classes that mean "try again": connection exceptions (08), shutdown and crash (57P01–57P05), too many
// connections (53300), serialization failure and deadlock (40001, 40P01), lock not available (55P03).
const TRANSIENT_STATES = /^(08...|57P0[1-5]|53300|53400|40001|40P01|55P03)$/;
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

/** What a caller gets for an error of a statement. */
export function toCallerError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  return isTransientDatabaseError(error) ? new DatabaseUnavailableError(error) : error;
}

/** SQLSTATE of an insert whose key already exists. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a row that references a missing row. */
export const FOREIGN_KEY_VIOLATION = '23503';

/** SQLSTATE of a PostgreSQL error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = isNativeError(error) ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
