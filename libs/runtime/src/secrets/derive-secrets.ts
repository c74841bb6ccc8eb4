import { hkdfSync } from 'node:crypto';

/** Keys of 32 bytes, one per purpose, so that a signature by one of them reveals nothing about another. */
export interface Secrets {
  /** HMAC of messages as received, before redaction (docs/reference/privacy.md#hmac-of-original-messages). */
  readonly messageHmac: Buffer;
  /** HMAC of request bodies under an Idempotency-Key (docs/reference/api.md#idempotency-key). */
  readonly idempotency: Buffer;
  /** Signs the head of an audit chain that leaves the system (docs/reference/audit.md#signed-heads-and-receipts). */
  readonly audit: Buffer;
  /** The installation's half of the keys of pseudonyms (docs/reference/privacy.md#key-of-the-pseudonyms). */
  readonly pseudonyms: Buffer;
  /** Pseudonyms of users and HMACs of memories in the audit chain (docs/reference/audit.md#pseudonyms-of-users). */
  readonly chain: Buffer;
  /** Signs the sessions of operators in the queue UI (docs/queue-ui.md#sessions). */
  readonly queueSessions: Buffer;
}

const KEY_BYTES = 32;
const SALT = 'annals';

/**
 * HKDF-SHA256 (RFC 5869) of ANNALS_SECRET_KEY with the purpose as `info`: the same in every process. `pseudonymKey` is
 * ANNALS_PSEUDONYM_KEY, so that the pseudonyms stay when the secret key changes.
 */
export function deriveSecrets(secretKey: string, pseudonymKey: string = secretKey): Secrets {
  const derive = (purpose: string, key = secretKey) => Buffer.from(hkdfSync('sha256', key, SALT, purpose, KEY_BYTES));
  return {
    messageHmac: derive('message-hmac'),
    idempotency: derive('idempotency'),
    audit: derive('audit'),
    pseudonyms: derive('pseudonyms', pseudonymKey),
    chain: derive('chain'),
    queueSessions: derive('queue-sessions'),
  };
}
