import { createHmac, hash as computeHash } from 'node:crypto';
import { encodeCanonicalJson, type JsonValue } from '../text/canonical-json.js';

/** The `prevHash` of a user's first history row. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * How a history row is hashed. 1: with the user's id. 2: with the user's pseudonym and the HMAC of the memory's state
 * (docs/reference/audit.md#pseudonyms-of-users).
 */
export type ChainVersion = 1 | 2;

// Domain separation: a chain hash never equals another hash over the same bytes.
const CHAIN_DOMAINS: Readonly<Record<ChainVersion, string>> = { 1: 'annals.history.v1', 2: 'annals.history.v2' };

const REPLACED_DOMAIN = 'annals.replaced-hash.v1';

/** The fields of a history row that its hash covers: everything but the hash, the content and the salt. */
export type ChainedFields = { readonly [key: string]: JsonValue | undefined };

/**
 * HMAC-SHA-256 of a content under its row's own random salt, 64 hex digits. The chain covers this, never the content,
 * so that content and salt can be deleted while the chain still verifies
 * (docs/reference/audit.md#content-leaves-the-chain).
 */
export function contentHmac(salt: string | Uint8Array, content: string): string {
  return createHmac('sha256', salt).update(content, 'utf8').digest('hex');
}

/** The hash of a history row: SHA-256 over its predecessor's hash and its fields in canonical JSON, 64 hex digits. */
export function chainHash(prevHash: string, fields: ChainedFields, version: ChainVersion): string {
  return computeHash('sha256', `${CHAIN_DOMAINS[version]}\n${prevHash}\n${encodeCanonicalJson(fields)}`, 'hex');
}

/**
 * What remains of a hash that a rewritten row had before, 64 hex digits: it recognises an exported head, but nobody
 * without the chain key can test user ids against it, as against the hash itself.
 */
export function replacedHashHmac(key: Uint8Array, hash: string): string {
  return createHmac('sha256', key).update(`${REPLACED_DOMAIN}\n${hash}`, 'utf8').digest('hex');
}

/** A history row as it is verified. Hashes are hex. */
export interface HistoryLink {
  readonly seq: number;
  readonly version: ChainVersion;
  readonly prevHash: string;
  readonly hash: string;
  readonly fields: ChainedFields;
  readonly contentHmac: string;
  readonly content: string | null;
  readonly salt: Uint8Array | null;
  /** A later row records a purge or erasure: the content must be gone. */
  readonly isContentErased: boolean;
}

/**
 * Inconsistency of a row. `gap`: rows are missing before it. `wrong_predecessor`: its `prevHash` is not the hash of the
 * row before it. `wrong_hash`: a field was changed. `wrong_content`: the content or its salt was changed.
 * `content_missing`: the content was removed although no purge or erasure is recorded; `content_not_erased`: it is
 * present although one is.
 */
export type LinkFault =
  'gap' | 'wrong_predecessor' | 'wrong_hash' | 'wrong_content' | 'content_missing' | 'content_not_erased';

export interface ChainEnd {
  readonly seq: number;
  readonly head: string;
}

/** Where a user's first chain begins. */
export const CHAIN_START: ChainEnd = { seq: 0, head: GENESIS_HASH };

/**
 * Verifies one user's history row by row, in order, in constant memory. Without a head that was stored elsewhere it
 * detects every change inside the chain, but neither rows removed from its end nor a full rewrite
 * (docs/reference/audit.md#what-verification-can-find).
 */
export class ChainVerifier {
  /** `start`: the row that the first one follows; the chain of a user who was erased before goes on from that. */
  constructor(private reached: ChainEnd = CHAIN_START) {}

  /** All faults of the next row. The rows after it are verified against this row as it is. */
  verifyNext(link: HistoryLink): LinkFault[] {
    const { seq, head } = this.reached;
    const faults: LinkFault[] = [];
    if (link.seq !== seq + 1) faults.push('gap');
    if (link.prevHash !== head) faults.push('wrong_predecessor');
    if (link.hash !== chainHash(link.prevHash, link.fields, link.version)) faults.push('wrong_hash');
    const content = checkContent(link);
    if (content !== null) faults.push(content);
    this.reached = { seq: link.seq, head: link.hash };
    return faults;
  }

  get end(): ChainEnd {
    return this.reached;
  }
}

function checkContent({ content, salt, contentHmac: hmac, isContentErased }: HistoryLink): LinkFault | null {
  if (content === null && salt === null) return isContentErased ? null : 'content_missing';
  if (content === null || salt === null || contentHmac(salt, content) !== hmac) return 'wrong_content';
  // The row that records the purge or erasure has an empty content, which may remain.
  return isContentErased && content !== '' ? 'content_not_erased' : null;
}
