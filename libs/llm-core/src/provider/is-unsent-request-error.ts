import { isNativeError } from 'node:util/types';

/** What Node says when no connection came about, by system call or code of its own. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);
const NOT_CONNECTED = new Set(['UND_ERR_CONNECT_TIMEOUT']);

/**
 * Whether it is certain that a request never reached a server: refused, not found, no route. Reads the causes that
 * `fetch` and the SDKs wrap around it.
 */
export function isUnsentRequestError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (CONNECTING.has(syscall ?? '') || NOT_CONNECTED.has(code ?? '')) return true;
  // One for each address of the host; every one of them has to have failed so.
  const { errors } = error as Partial<AggregateError>;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnsentRequestError);
  return isUnsentRequestError(error.cause);
}
