import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeCanonicalJson } from '../text/canonical-json.js';

// Domain separation: a signature is never valid for anything else. Raise a version when what is signed changes.
const HEADS_DOMAIN = 'annals.heads.v1';
const VAULT_DOMAIN = 'annals.vault.v1';
const RECEIPT_DOMAIN = 'annals.receipt.v2';
/** Receipts of earlier releases, which name the user. */
const NAMING_RECEIPT_DOMAIN = 'annals.receipt.v1';

/** Proves that a user was erased (docs/reference/audit.md#signed-heads-and-receipts). Hashes are hex. */
export interface ReceiptFields {
  readonly id: string;
  readonly tenantId: string;
  /** The user's pseudonym, see `userPseudonym`. */
  readonly pseudonym: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly erasedAt: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly chain: { readonly seq: number; readonly head: string };
  /** Where a chain ended that named the user, before it was rewritten; `headHmac` as by `replacedHashHmac`. */
  readonly resealed: { readonly seq: number; readonly headHmac: string } | null;
  /** What the history is under, when that is not `pseudonym`: it was written with another secret key. */
  readonly historyPseudonym?: string | null;
}

/** HMAC-SHA-256 over the SHA-256 (hex) of a file of heads, 64 hex digits. `key` is the installation's audit key. */
export function signHeads(key: Uint8Array, digest: string): string {
  return sign(key, HEADS_DOMAIN, digest);
}

export function verifyHeadsSignature(key: Uint8Array, digest: string, signature: string): boolean {
  return isEqual(signHeads(key, digest), signature);
}

/** HMAC-SHA-256 over all fields in canonical JSON, 64 hex digits. `key` is the installation's audit key. */
export function signReceipt(key: Uint8Array, receipt: ReceiptFields): string {
  const { id, tenantId, pseudonym, erasedAt, counts, chain, resealed, historyPseudonym } = receipt;
  const fields = {
    id,
    tenant_id: tenantId,
    user: pseudonym,
    erased_at: erasedAt,
    counts,
    chain: { seq: chain.seq, head: chain.head },
    resealed: resealed && { seq: resealed.seq, head_hmac: resealed.headHmac },
    // Absent from receipts that were signed before it existed.
    ...(historyPseudonym ? { history_pseudonym: historyPseudonym } : {}),
  };
  return sign(key, RECEIPT_DOMAIN, encodeCanonicalJson(fields));
}

/** Whether a receipt was signed with this installation's key and is unchanged; `userId`: whom it is said to be about. */
export function verifyReceiptSignature(
  key: Uint8Array,
  receipt: ReceiptFields & { readonly userId: string },
  signature: string,
): boolean {
  if (isEqual(signReceipt(key, receipt), signature)) return true;
  if (receipt.resealed !== null || receipt.historyPseudonym) return false;
  return isEqual(signNamingReceipt(key, receipt), signature);
}

/** Proves that the files of an erased user and their Git history were removed from the vault. */
export interface VaultRemovalFields {
  /** Of the erasure. */
  readonly receiptId: string;
  readonly tenantId: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly requestedAt: string;
  readonly removedAt: string;
  readonly files: number;
  readonly commits: number;
}

/** HMAC-SHA-256 over all fields in canonical JSON, 64 hex digits. `key` is the installation's audit key. */
export function signVaultRemoval(key: Uint8Array, removal: VaultRemovalFields): string {
  const { receiptId, tenantId, requestedAt, removedAt, files, commits } = removal;
  const fields = {
    receipt_id: receiptId,
    tenant_id: tenantId,
    requested_at: requestedAt,
    removed_at: removedAt,
    files,
    commits,
  };
  return sign(key, VAULT_DOMAIN, encodeCanonicalJson(fields));
}

export function verifyVaultRemoval(key: Uint8Array, removal: VaultRemovalFields, signature: string): boolean {
  return isEqual(signVaultRemoval(key, removal), signature);
}

function signNamingReceipt(key: Uint8Array, receipt: ReceiptFields & { readonly userId: string }): string {
  const { id, tenantId, userId, erasedAt, counts, chain } = receipt;
  const { seq, head } = chain;
  const fields = { id, tenant_id: tenantId, user_id: userId, erased_at: erasedAt, counts, chain: { seq, head } };
  return sign(key, NAMING_RECEIPT_DOMAIN, encodeCanonicalJson(fields));
}

function sign(key: Uint8Array, domain: string, text: string): string {
  return createHmac('sha256', key).update(`${domain}\n${text}`, 'utf8').digest('hex');
}

function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'hex'), Buffer.from(given, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
