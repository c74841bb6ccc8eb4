import { createHmac } from 'node:crypto';
import { encodeCanonicalJson } from '../text/canonical-json.js';

const DOMAIN = 'annals.import.id.v1';
const VERSION_8 = 0x80;
const VARIANT = 0x80;

export interface ImportOwner {
  readonly tenantId: string;
  readonly userId: string;
  /** The system that the records come from. */
  readonly source: string;
}

/**
 * The id of an imported record whose own one cannot be kept: always the same UUID (version 8, RFC 9562) for the same
 * record of one user, so that importing it again finds it. The first 128 bits of an HMAC-SHA-256 under the
 * installation's chain key, less those of the format: nobody else can tell from which id of a caller it was made.
 */
export function deriveImportedId(
  key: Uint8Array,
  { tenantId, userId, source }: ImportOwner,
  kind: 'conversation' | 'message' | 'memory',
  id: string,
): string {
  const text = `${DOMAIN}\n${encodeCanonicalJson([tenantId, userId, source, kind, id])}`;
  const bytes = createHmac('sha256', key).update(text, 'utf8').digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | VERSION_8;
  bytes[8] = (bytes[8]! & 0x3f) | VARIANT;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
