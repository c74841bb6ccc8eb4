import { isNativeError } from 'node:util/types';

/**
 * A body that is not JSON, or a socket that was cut while it was read: what `fetch` throws and the SDKs pass on. By
 * name, since those errors may come from another realm.
 */
export function isBodyReadError(error: unknown): boolean {
  return isNativeError(error) && (error.name === 'SyntaxError' || error.name === 'TypeError');
}
