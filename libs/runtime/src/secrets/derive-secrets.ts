import { hkdfSync } from 'node:crypto';

/** Keys of 32 bytes that change with ANNALS_SECRET_KEY: what they made is checked with those of accepted keys, too. */
interface RotatedSecrets {
  /** HMAC of messages as received, before redaction (docs/reference/privacy.md#hmac-of-original-messages). */
  readonly messageHmac: Buffer;
  /** HMAC of request bodies under an Idempotency-Key (docs/reference/api.md#idempotency-key). */
  readonly idempotency: Buffer;
  /** Signs the head of an audit chain that leaves the system (docs/reference/audit.md#signed-heads-and-receipts). */
  readonly audit: Buffer;
  /** What the secrets of webhooks are derived from (docs/reference/webhooks.md#secrets). */
  readonly webhooks: Buffer;
}

/** Keys of 32 bytes, one per purpose, so that a signature by one of them reveals nothing about another. */
export interface Secrets extends RotatedSecrets {
  /** Those of the other keys that are accepted. Nothing new is made with them. */
  readonly accepted: readonly RotatedSecrets[];
  /** The audit key and those of the accepted keys: what any of them has signed is valid, and the first one signs. */
  readonly auditKeys: readonly [Buffer, ...Buffer[]];
  /** The installation's half of the keys of pseudonyms (docs/reference/privacy.md#key-of-the-pseudonyms). */
  readonly pseudonyms: Buffer;
  /** Pseudonyms of users and HMACs of memories in the audit chain (docs/reference/audit.md#pseudonyms-of-users). */
  readonly chain: Buffer;
  /** Signs the sessions of operators in the queue UI (docs/queue-ui.md#sessions). */
  readonly queueSessions: Buffer;
}

/** The keys that an installation was given; those that are left out are the secret key. */
export interface SecretKeys {
  /** ANNALS_SECRET_KEY. */
  readonly secretKey: string;
  /** ANNALS_SECRET_KEY_ACCEPTED. */
  readonly acceptedKeys?: readonly string[] | undefined;
  /** ANNALS_CHAIN_KEY, so that histories can be written on when the secret key changes. */
  readonly chainKey?: string | undefined;
  /** ANNALS_PSEUDONYM_KEY, so that the pseudonyms stay when the secret key changes. */
  readonly pseudonymKey?: string | undefined;
}

const KEY_BYTES = 32;
const SALT = 'annals';

/** HKDF-SHA256 (RFC 5869) of a key with the purpose as `info`: the same in every process. */
export function deriveSecrets({ secretKey, acceptedKeys = [], chainKey, pseudonymKey }: SecretKeys): Secrets {
  const own = deriveRotated(secretKey);
  const accepted = acceptedKeys.filter((key) => key !== secretKey).map(deriveRotated);
  return {
    ...own,
    accepted,
    auditKeys: [own.audit, ...accepted.map(({ audit }) => audit)],
    pseudonyms: derive('pseudonyms', pseudonymKey ?? secretKey),
    chain: derive('chain', chainKey ?? secretKey),
    queueSessions: derive('queue-sessions', secretKey),
  };
}

function deriveRotated(key: string): RotatedSecrets {
  return {
    messageHmac: derive('message-hmac', key),
    idempotency: derive('idempotency', key),
    audit: derive('audit', key),
    webhooks: derive('webhooks', key),
  };
}

function derive(purpose: string, key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, SALT, purpose, KEY_BYTES));
}
