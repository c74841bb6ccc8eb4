import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeCanonicalJson } from '../text/canonical-json.js';

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

// Domain separation: a receipt's signature is never valid for anything else. Raise it when the fields change.
const RECEIPT_DOMAIN = 'annals.receipt.v1';

/**
 * Records that a user was erased, and the link of the audit chain that says so
 * (docs/reference/audit.md#signed-heads-and-receipts). Hashes are hex.
 */
export interface ReceiptFields {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly erasedAt: string;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  readonly chain: { readonly seq: number; readonly head: string };
}

/** HMAC-SHA-256 over all fields in canonical JSON, 64 hex digits. `key` is the installation's audit key. */
export function signReceipt(key: Uint8Array, { id, tenantId, userId, erasedAt, counts, chain }: ReceiptFields): string {
  const fields = {
    id,
    tenant_id: tenantId,
    user_id: userId,
    erased_at: erasedAt,
    counts,
    chain: { seq: chain.seq, head: chain.head },
  };
  return createHmac('sha256', key)
    .update(`${RECEIPT_DOMAIN}\n${encodeCanonicalJson(fields)}`, 'utf8')
    .digest('hex');
}

/** Whether a receipt was signed with this installation's key and is unchanged. */
export function verifyReceiptSignature(key: Uint8Array, fields: ReceiptFields, signature: string): boolean {
  const [expected, given] = [Buffer.from(signReceipt(key, fields), 'hex'), Buffer.from(signature, 'hex')];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
