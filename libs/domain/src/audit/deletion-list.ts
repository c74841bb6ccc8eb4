import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeCanonicalJson, type JsonValue } from '../text/canonical-json.js';

const SUBJECT_DOMAIN = 'annals.deletion.subject.v1';
const LINE_DOMAIN = 'annals.deletion.line.v1';

/** The signature that the first line of a list follows. */
export const FIRST_SIGNATURE = '0'.repeat(64);

/**
 * What stands for something with a caller's id in the list of deletions: 64 hex digits
 * (docs/reference/deletions.md#what-an-entry-contains). HMAC-SHA-256 under the installation's chain key, so that only
 * somebody with the key can tell what it is, and only by knowing the ids. Differs between tenants and kinds.
 */
export function deletionSubject(
  key: Uint8Array,
  { tenantId, kind }: { readonly tenantId: string; readonly kind: string },
  ...parts: readonly string[]
): string {
  const text = `${SUBJECT_DOMAIN}\n${encodeCanonicalJson([tenantId, kind, ...parts])}`;
  return createHmac('sha256', key).update(text, 'utf8').digest('hex');
}

/**
 * Signs a line of a list of deletions and all lines before it. `fields`: the line without its signature; `before`: the
 * signature of the line before. `key` is the installation's audit key.
 */
export function signDeletionLine(key: Uint8Array, before: string, fields: JsonValue): string {
  const text = `${LINE_DOMAIN}\n${before}\n${encodeCanonicalJson(fields)}`;
  return createHmac('sha256', key).update(text, 'utf8').digest('hex');
}

export function verifyDeletionLine(key: Uint8Array, before: string, fields: JsonValue, signature: string): boolean {
  const [a, b] = [Buffer.from(signDeletionLine(key, before, fields), 'hex'), Buffer.from(signature, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
