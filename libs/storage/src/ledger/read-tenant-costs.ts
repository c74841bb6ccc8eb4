import type { TenantCosts } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Database } from '../database/database.js';

interface TenantCostsRow {
  readonly tenant_id: string;
  readonly name: string;
  readonly calls: string;
  readonly cost_micro_usd: string;
}

interface TenantCostsRequest {
  /** First and last UTC day, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * What the calls of each tenant cost on some days, tenants in order of their creation, and what was spent by tenants
 * that are deleted. Throws InvalidCursorError.
 */
export async function readTenantCosts(database: Database, { from, to, cursor, limit }: TenantCostsRequest) {
  const after = parseCursor(cursor, ['uuid']);
  const [rows, deleted] = await Promise.all([
    database.callAcrossTenants<TenantCostsRow>('sum_tenant_costs', [from, to, after?.[0] ?? null, limit + 1]),
    database.callScalarAcrossTenants<string>('sum_deleted_tenant_costs', [from, to]),
  ]);
  const page = buildPage(rows, limit, toTenantCosts, (row) => [row.tenant_id]);
  return { ...page, deletedTenantsMicroUsd: Number(deleted) };
}

function toTenantCosts({ tenant_id, name, calls, cost_micro_usd }: TenantCostsRow): TenantCosts {
  return { tenant_id, name, calls: Number(calls), cost_micro_usd: Number(cost_micro_usd) };
}
