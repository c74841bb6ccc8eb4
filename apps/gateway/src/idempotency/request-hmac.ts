import { createHmac, type KeyObject } from 'node:crypto';
import type { Principal } from '../auth/principal.js';
import type { IdempotencyInput } from '../http/call.js';

/**
 * What tells a repeated request from another one under the same key (docs/reference/api.md#idempotency-key). What the
 * caller's key is bound to is part of it: an answer that was stored for one key is not replayed to a narrower one.
 */
export function computeRequestHmac(secret: KeyObject, idempotency: IdempotencyInput, { bindings }: Principal): Buffer {
  const { method, url, body } = idempotency;
  const head = JSON.stringify([method, url, bindings.agentId, bindings.userId, bindings.categories]);
  const hmac = createHmac('sha256', secret).update(head).update('\n');
  return (body ? hmac.update(body) : hmac).digest();
}
