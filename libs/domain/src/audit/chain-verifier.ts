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
   * A later row tells that the memory or proposal was purged or the user erased: the content has to be gone
   * (docs/reference/audit.md#content-leaves-the-chain).
   */
  readonly isContentErased: boolean;
}

/**
 * What does not fit about a row. `gap`: rows are missing before it. `wrong_predecessor`: it follows on another row.
 * `wrong_hash`: a field was changed. `wrong_content`: the content or its salt was. `content_missing`: it was taken away
 * though nothing tells of a purge or erasure; `content_not_erased`: it is there although something does.
 */
export type LinkFault =
  'gap' | 'wrong_predecessor' | 'wrong_hash' | 'wrong_content' | 'content_missing' | 'content_not_erased';

/** How far a chain goes. */
export interface ChainEnd {
  readonly seq: number;
  readonly head: string;
}

export const CHAIN_START: ChainEnd = { seq: 0, head: GENESIS_HASH };

/**
 * Checks one user's history row by row, in order, however long it is. Without a head that was kept elsewhere it shows
 * every change inside the chain, but neither rows cut from its end nor a full rewrite
 * (docs/reference/audit.md#what-verification-can-find).
 */
export class ChainVerifier {
  private reached = CHAIN_START;

  /** Everything that is wrong with the next row; what follows is held against the row as it stands. */
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

  /** The last row that was seen. */
  get end(): ChainEnd {
    return this.reached;
  }
}

function checkContent({ content, salt, contentHmac: hmac, isContentErased }: HistoryLink): LinkFault | null {
  if (content === null && salt === null) return isContentErased ? null : 'content_missing';
  if (content === null || salt === null || contentHmac(salt, content) !== hmac) return 'wrong_content';
  // The row that tells of the end says nothing, which can stay.
  return isContentErased && content !== '' ? 'content_not_erased' : null;
}
