import { createHmac } from 'node:crypto';

/**
 * The id of a tenant that is created under an Idempotency-Key. It is the same for every repetition, so that a
 * repetition finds the stored response in the new tenant's rows. A UUIDv8 (RFC 9562 §5.8) of the Idempotency-Key's
 * HMAC.
 */
export function deriveTenantId(secret: Buffer, idempotencyKey: string): string {
  const bytes = createHmac('sha256', secret).update('tenant\n').update(idempotencyKey).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
