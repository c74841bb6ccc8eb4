import { isNativeError } from 'node:util/types';

/**
 * Whether the error means that a response body is not JSON or that the connection broke while it was read, as `fetch`
 * throws and the SDKs pass on. Checked by name, because these errors may come from another realm.
 */
export function isBodyReadError(error: unknown): boolean {
  return isNativeError(error) && (error.name === 'SyntaxError' || error.name === 'TypeError');
}
