import { createHmac, timingSafeEqual } from 'node:crypto';

const HEADS_DOMAIN = 'annals.heads.v1';

/** HMAC-SHA-256 over the SHA-256 (hex) of a file of heads, 64 hex digits. `key` is the installation's audit key. */
export function signHeads(key: Uint8Array, digest: string): string {
  return createHmac('sha256', key).update(`${HEADS_DOMAIN}\n${digest}`, 'utf8').digest('hex');
}

/** Whether this installation signed these heads. */
export function verifyHeadsSignature(key: Uint8Array, digest: string, signature: string): boolean {
  const [expected, given] = [Buffer.from(signHeads(key, digest), 'hex'), Buffer.from(signature, 'hex')];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
