import { type ChainedFields, chainHash, contentHmac, GENESIS_HASH } from './chain.js';

/** A history row as it is verified. Hashes are hex. */
export interface HistoryLink {
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly fields: ChainedFields;
  readonly contentHmac: string;
  readonly content: string | null;
  readonly salt: Uint8Array | null;
  /**
   * A later row records that the memory or proposal was purged or the user erased: the content must be gone
   * (docs/reference/audit.md#content-leaves-the-chain).
   */
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

/** The end of a chain: the number and hash of its last row. */
export interface ChainEnd {
  readonly seq: number;
  readonly head: string;
}

const CHAIN_START: ChainEnd = { seq: 0, head: GENESIS_HASH };

/**
 * Verifies one user's history row by row, in order, in constant memory. Without a head that was stored elsewhere it
 * detects every change inside the chain, but neither rows removed from its end nor a full rewrite
 * (docs/reference/audit.md#what-verification-can-find).
 */
export class ChainVerifier {
  private reached = CHAIN_START;

  /** All faults of the next row. The rows after it are verified against this row as it is. */
  verifyNext(link: HistoryLink): LinkFault[] {
    const { seq, head } = this.reached;
    const faults: LinkFault[] = [];
    if (link.seq !== seq + 1) faults.push('gap');
    if (link.prevHash !== head) faults.push('wrong_predecessor');
    if (link.hash !== chainHash(link.prevHash, link.fields)) faults.push('wrong_hash');
    const content = checkContent(link);
    if (content !== null) faults.push(content);
    this.reached = { seq: link.seq, head: link.hash };
    return faults;
  }

  /** The last row that was verified. */
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
