import type { Database } from '../database/database.js';
import { listTenants } from '../tenants/tenants.js';
import type { AuditFindingHandler } from './audit-finding.js';
import { verifyReceipts } from './receipts.js';
import { findEmptiedChains, verifyHistory } from './verify-history.js';
import { verifyMemories } from './verify-memories.js';

export interface AuditScope {
  /** Null verifies every tenant. */
  readonly tenantId: string | null;
  /** The installation's audit key. */
  readonly keys: readonly Uint8Array[];
  readonly report: AuditFindingHandler;
  readonly signal?: AbortSignal;
}

/** How much was verified. */
export interface AuditCounts {
  readonly tenants: number;
  readonly users: number;
  readonly rows: number;
  readonly receipts: number;
  readonly memories: number;
}

/**
 * Verifies audit chains, the memories that are served by them, and receipts, page by page
 * (docs/reference/audit.md#what-verification-can-find).
 */
export async function verifyAudit(database: Database, scope: AuditScope): Promise<AuditCounts> {
  const { report, signal } = scope;
  const { chainKey } = database;
  const counts = { tenants: 0, users: 0, rows: 0, receipts: 0, memories: 0 };
  for await (const tenantId of listTenantIds(database, scope.tenantId)) {
    const history = await verifyHistory(database, { tenantId, report, chainKey, signal });
    await findEmptiedChains(database, tenantId, report);
    counts.memories += await verifyMemories(database, { tenantId, report, chainKey, signal });
    counts.tenants += 1;
    counts.users += history.users;
    counts.rows += history.rows;
    counts.receipts += await verifyReceipts(database, tenantId, scope.keys, scope.report);
  }
  return counts;
}

/** The given tenant, or all tenants in order of their ids. */
export async function* listTenantIds(database: Database, onlyTenantId: string | null): AsyncGenerator<string> {
  if (onlyTenantId !== null) return yield onlyTenantId;
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof listTenants>> = await listTenants(database, { limit: 100, cursor });
    for (const { id } of page.items) yield id;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
