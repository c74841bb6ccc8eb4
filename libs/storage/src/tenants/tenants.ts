import type { Tenant } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { TenantEntity } from '../entities/tenant.entity.js';

/** False when the name is taken. */
export async function createTenant(
  database: Database,
  tenant: { id: string; name: string; now: number },
): Promise<boolean> {
  return database.callScalarAcrossTenants<boolean>('create_tenant', [tenant.id, tenant.name, new Date(tenant.now)]);
}

/** All tenants in order of their creation. Throws InvalidCursorError. */
export async function listTenants(database: Database, page: { limit: number; cursor?: string | undefined }) {
  const after = parseCursor(page.cursor, ['uuid']);
  const parameters = [after?.[0] ?? null, page.limit + 1];
  const rows = await database.callAcrossTenants<TenantRow>('list_tenants', parameters);
  return buildPage(rows, page.limit, toTenant, (row) => [row.tenant_id]);
}

export type TenantRow = Pick<
  TenantEntity,
  'tenant_id' | 'name' | 'created_at' | 'default_country' | 'personal_ids' | 'writing_checks'
>;

export function toTenant({ tenant_id, created_at, ...row }: TenantRow): Tenant {
  return { id: tenant_id, ...row, created_at: created_at.toISOString() };
}

/**
 * Deletes a tenant with all its data. Returns the number of deleted rows by table, or null when there is no such
 * tenant.
 */
export async function deleteTenant(database: Database, id: string): Promise<Record<string, number> | null> {
  const bulk = database.forPath('bulk');
  return bulk.callScalarAcrossTenants<Record<string, number> | null>('delete_tenant', [id]);
}

export const DEFAULT_TENANT = 'default';

/** The id of the tenant with this name, or null. */
export async function findTenant(database: Database, name: string): Promise<string | null> {
  return database.callScalarAcrossTenants<string | null>('find_tenant', [name]);
}

/** The id of the tenant with this name, which is created when it does not exist. */
export async function ensureTenant(
  database: Database,
  name: string,
  { ids, now }: { ids: IdGenerator; now: number },
): Promise<string> {
  const id = ids.next();
  if (await createTenant(database, { id, name, now })) return id;
  return (await findTenant(database, name))!;
}
