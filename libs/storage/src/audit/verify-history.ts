import { type ChainEnd, ChainWalk } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { AuditFault, AuditReport } from './audit-finding.js';
import { type HistoryPlace, type ReadLink, readLinks } from './read-links.js';

const PAGE_ROWS = 1_000;

export interface HistoryCounts {
  users: number;
  rows: number;
}

/**
 * Recomputes every link of a tenant's history and holds the ends against the users' rows. Reads page by page, so its
 * memory does not grow with the history, and keeps nobody from writing.
 */
export async function verifyHistory(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  report: AuditReport,
  signal?: AbortSignal,
): Promise<HistoryCounts> {
  const counts: HistoryCounts = { users: 0, rows: 0 };
  const walk = new TenantWalk((fault, userId, seq) => report({ fault, tenantId, userId, seq }));
  let place: HistoryPlace | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const links: ReadLink[] = await database.readTenant(tenantId, (tx) => readLinks(tx, place, PAGE_ROWS));
    for (const link of links) walk.step(link);
    counts.rows += links.length;
    place = links.at(-1) ?? place;
    if (links.length < PAGE_ROWS) break;
  }
  walk.end();
  counts.users = walk.users;
  return counts;
}

/** Goes from chain to chain. */
class TenantWalk {
  users = 0;
  private chain = new ChainWalk();
  private last: ReadLink | null = null;

  constructor(private readonly tell: (fault: AuditFault, userId: string, seq: number | null) => void) {}

  step(link: ReadLink): void {
    if (link.userId !== this.last?.userId) this.begin();
    for (const fault of this.chain.step(link)) this.tell(fault, link.userId, link.seq);
    if (link.event === 'ERASE' && !link.hasReceipt) this.tell('no_receipt', link.userId, link.seq);
    this.last = link;
  }

  /** Call behind the last row. */
  end(): void {
    const { last, chain } = this;
    if (!last) return;
    this.users += 1;
    if (last.recordedEnd === null) this.tell('unknown_user', last.userId, null);
    else if (!isSameEnd(last.recordedEnd, chain.end)) this.tell('cut_off', last.userId, last.recordedEnd.seq);
  }

  private begin(): void {
    this.end();
    this.chain = new ChainWalk();
  }
}

function isSameEnd(a: ChainEnd, b: ChainEnd): boolean {
  return a.seq === b.seq && a.head === b.head;
}

/** Reports users whose whole history is gone. Answers how many were looked at. */
export async function findEmptiedChains(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  report: AuditReport,
): Promise<void> {
  let after = '';
  for (;;) {
    const rows: { user_id: string; chain_seq: string }[] = await database.readTenant(tenantId, (tx) =>
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
