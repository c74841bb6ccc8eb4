import { CHAIN_START, type ChainEnd, ChainVerifier, userPseudonym } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { AuditFault, AuditFindingHandler } from './audit-finding.js';
import { type HistoryPosition, type StoredHistoryLink, readHistoryLinks } from './read-history-links.js';

const PAGE_ROWS = 1_000;

export interface HistoryCounts {
  users: number;
  rows: number;
}

export interface HistoryScope {
  readonly tenantId: string;
  readonly report: AuditFindingHandler;
  /** The installation's chain key; null leaves out whether pseudonyms are those of their users. */
  readonly chainKey: Uint8Array | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Recomputes every link of a tenant's history, compares the ends with the users' rows, and finds memories that were
 * removed. Reads page by page, so that memory use does not grow with the history, and does not block writers.
 */
export async function verifyHistory(
  database: Pick<Database, 'readTenant'>,
  { tenantId, report, chainKey, signal }: HistoryScope,
): Promise<HistoryCounts> {
  const counts: HistoryCounts = { users: 0, rows: 0 };
  const verifier = new TenantChainVerifier(
    (fault, userId, seq, memoryId) =>
      report({ fault, tenantId, userId, seq, ...(memoryId === undefined ? {} : { memoryId }) }),
    (userId) => (chainKey === null ? null : userPseudonym(chainKey, tenantId, userId)),
  );
  let position: HistoryPosition | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const links: StoredHistoryLink[] = await database.readTenant(tenantId, (tx) =>
      readHistoryLinks(tx, position, PAGE_ROWS),
    );
    if (await wasErasedMeanwhile(database, tenantId, verifier.findLooseEnd(links[0]))) verifier.leaveOut();
    for (const link of links) verifier.step(link);
    counts.rows += links.length;
    position = links.at(-1) ?? position;
    if (links.length < PAGE_ROWS) break;
  }
  verifier.end();
  counts.users = verifier.users;
  return counts;
}

/**
 * The user's rows were moved away from their id by an erasure: what was read before it has no end. A user who returned
 * has new rows under the id, with higher numbers.
 */
async function wasErasedMeanwhile(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  looseEnd: HistoryPosition | null,
): Promise<boolean> {
  if (looseEnd === null) return false;
  const rows = await database.readTenant(tenantId, (tx) =>
    tx.query('SELECT FROM history WHERE user_id = $1 AND seq = $2', [looseEnd.userId, looseEnd.seq]),
  );
  return rows.length === 0;
}

/** Verifies one chain after another. */
class TenantChainVerifier {
  users = 0;
  private chain = new ChainVerifier();
  private last: StoredHistoryLink | null = null;

  constructor(
    private readonly reportFault: (fault: AuditFault, userId: string, seq: number | null, memoryId?: string) => void,
    /** Null when it cannot be computed. */
    private readonly pseudonymOf: (userId: string) => string | null,
  ) {}

  step(link: StoredHistoryLink): void {
    if (link.userId !== this.last?.userId) this.begin(link);
    for (const fault of this.chain.verifyNext(link)) this.reportFault(fault, link.userId, link.seq);
    if (link.event === 'ERASE' && !link.hasReceipt) this.reportFault('no_receipt', link.userId, link.seq);
    if (link.isMemoryMissing) this.reportFault('memory_removed', link.userId, link.seq, link.memoryId!);
    this.last = link;
  }

  /** The last row so far, if `next` does not continue its chain and it is not the recorded end of it. */
  findLooseEnd(next: StoredHistoryLink | undefined): HistoryPosition | null {
    const { last, chain } = this;
    if (last === null) return null;
    const isLoose =
      next?.userId === last.userId
        ? next.seq !== last.seq + 1
        : last.recordedEnd !== null && !isSameEnd(last.recordedEnd, chain.end);
    return isLoose ? last : null;
  }

  /** Forgets the user of the last row. */
  leaveOut(): void {
    this.last = null;
  }

  /** Call after the last row. */
  end(): void {
    const { last, chain } = this;
    if (!last) return;
    this.users += 1;
    if (last.recordedEnd === null) this.reportFault('unknown_user', last.userId, null);
    else if (!isSameEnd(last.recordedEnd, chain.end)) this.reportFault('cut_off', last.userId, last.recordedEnd.seq);
  }

  private begin(first: StoredHistoryLink): void {
    this.end();
    const { userId, pseudonym, sealedEnd } = first;
    // An earlier release, which knows no pseudonyms, begins a chain of its own for a user who returns.
    this.chain = new ChainVerifier(sealedEnd === null || first.seq === 1 ? CHAIN_START : sealedEnd);
    const expected = this.pseudonymOf(userId);
    if (pseudonym !== null && expected !== null && pseudonym !== expected) {
      this.reportFault('wrong_pseudonym', userId, null);
    }
  }
}

function isSameEnd(a: ChainEnd, b: ChainEnd): boolean {
  return a.seq === b.seq && a.head === b.head;
}

/** Reports users whose whole history is missing. */
export async function findEmptiedChains(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  report: AuditFindingHandler,
): Promise<void> {
  let after = '';
  for (;;) {
    const rows: Pick<UserEntity, 'user_id' | 'chain_seq'>[] = await database.readTenant(tenantId, (tx) =>
      tx.query(
        `SELECT u.user_id, u.chain_seq FROM users u
          WHERE u.user_id > $1 AND (u.chain_seq > 0 OR u.chain_head IS NOT NULL)
            AND NOT EXISTS (SELECT FROM history h WHERE h.user_id = u.user_id)
          ORDER BY u.user_id LIMIT $2`,
        [after, PAGE_ROWS],
      ),
    );
    for (const row of rows) report({ fault: 'cut_off', tenantId, userId: row.user_id, seq: Number(row.chain_seq) });
    after = rows.at(-1)?.user_id ?? after;
    if (rows.length < PAGE_ROWS) return;
  }
}
