import { isNativeError } from 'node:util/types';

/** How Node marks failures to connect: by system call, or by error code. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);
const NOT_CONNECTED = new Set(['UND_ERR_CONNECT_TIMEOUT']);

/**
 * Whether it is certain that a request never reached a server: connection refused, host not found, no route. Also
 * checks the causes that `fetch` and the SDKs wrap around the error.
 */
export function isUnsentRequestError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (CONNECTING.has(syscall ?? '') || NOT_CONNECTED.has(code ?? '')) return true;
  // An AggregateError has one error for each address of the host; all of them must be connection failures.
  const { errors } = error as Partial<AggregateError>;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnsentRequestError);
  return isUnsentRequestError(error.cause);
}
