import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const FINGERPRINT_DIGITS = 16;

export interface TenantPseudonymKey {
  readonly key: KeyObject;
  /** 16 hex digits that tell whether two processes have the same key; they reveal nothing about it. */
  readonly fingerprint: string;
}

/**
 * The key of a tenant's pseudonyms, from the installation's half (`Secrets.pseudonyms`) and the tenant's salt
 * (docs/reference/privacy.md#key-of-the-pseudonyms): who has the database alone cannot try values, and once the tenant
 * is deleted nobody can.
 */
export function deriveTenantPseudonymKey(installationKey: Buffer, salt: string): TenantPseudonymKey {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', installationKey, salt, 'tenant-pseudonyms', KEY_BYTES)));
  const fingerprint = createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, FINGERPRINT_DIGITS);
  return { key, fingerprint };
}
