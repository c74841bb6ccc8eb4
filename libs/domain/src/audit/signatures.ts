import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeCanonicalJson } from '../text/canonical-json.js';

// Domain separation: a signature is never valid for anything else. Raise a version when what is signed changes.
const HEADS_DOMAIN = 'annals.heads.v1';
const RECEIPT_DOMAIN = 'annals.receipt.v1';

/** Proves that a user was erased (docs/reference/audit.md#signed-heads-and-receipts). Hashes are hex. */
export interface ReceiptFields {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly erasedAt: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly chain: { readonly seq: number; readonly head: string };
}

/** HMAC-SHA-256 over the SHA-256 (hex) of a file of heads, 64 hex digits. `key` is the installation's audit key. */
export function signHeads(key: Uint8Array, digest: string): string {
  return sign(key, HEADS_DOMAIN, digest);
}

export function verifyHeadsSignature(key: Uint8Array, digest: string, signature: string): boolean {
  return isEqual(signHeads(key, digest), signature);
}

/** HMAC-SHA-256 over all fields in canonical JSON, 64 hex digits. `key` is the installation's audit key. */
export function signReceipt(key: Uint8Array, { id, tenantId, userId, erasedAt, counts, chain }: ReceiptFields): string {
  const { seq, head } = chain;
  const fields = { id, tenant_id: tenantId, user_id: userId, erased_at: erasedAt, counts, chain: { seq, head } };
  return sign(key, RECEIPT_DOMAIN, encodeCanonicalJson(fields));
}

/** Whether a receipt was signed with this installation's key and is unchanged. */
export function verifyReceiptSignature(key: Uint8Array, fields: ReceiptFields, signature: string): boolean {
  return isEqual(signReceipt(key, fields), signature);
}

function sign(key: Uint8Array, domain: string, text: string): string {
  return createHmac('sha256', key).update(`${domain}\n${text}`, 'utf8').digest('hex');
}

function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'hex'), Buffer.from(given, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
