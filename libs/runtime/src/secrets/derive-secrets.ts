import { hkdfSync } from 'node:crypto';

/** Keys of 32 bytes, one per purpose, so that a signature by one of them reveals nothing about another. */
export interface Secrets {
  /** HMAC of messages as received, before redaction (docs/reference/privacy.md#hmac-of-original-messages). */
  readonly messageHmac: Buffer;
  /** HMAC of request bodies under an Idempotency-Key (docs/reference/api.md#idempotency-key). */
  readonly idempotency: Buffer;
  /** Signs the head of an audit chain that leaves the system (docs/reference/audit.md#signed-heads-and-receipts). */
  readonly audit: Buffer;
  /** Pseudonyms of users and HMACs of memories in the audit chain (docs/reference/audit.md#pseudonyms-of-users). */
  readonly chain: Buffer;
}

const KEY_BYTES = 32;
const SALT = 'annals';

/** HKDF-SHA256 (RFC 5869) of ANNALS_SECRET_KEY with the purpose as `info`: the same in every process. */
export function deriveSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, SALT, purpose, KEY_BYTES));
  return {
    messageHmac: derive('message-hmac'),
    idempotency: derive('idempotency'),
    audit: derive('audit'),
    chain: derive('chain'),
  };
}
