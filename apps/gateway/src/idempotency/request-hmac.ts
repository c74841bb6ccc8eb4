import { createHmac, type KeyObject } from 'node:crypto';
import type { Principal } from '../auth/principal.js';
import type { IdempotencyInput } from '../http/call.js';

/**
 * Fingerprint that distinguishes a repeated request from a different one under the same Idempotency-Key
 * (docs/reference/api.md#idempotency-key). It covers the bindings of the caller's API key, so that a response that was
 * stored for one key is not replayed to a more restricted one.
 */
export function computeRequestHmac(secret: KeyObject, idempotency: IdempotencyInput, { bindings }: Principal): Buffer {
  const { method, url, body } = idempotency;
  const head = JSON.stringify([method, url, bindings.agentId, bindings.userId, bindings.categories]);
  const hmac = createHmac('sha256', secret).update(head).update('\n');
  return (body ? hmac.update(body) : hmac).digest();
}
