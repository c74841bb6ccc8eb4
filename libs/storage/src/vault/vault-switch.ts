import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';

type AcrossTenants = Pick<Database, 'callAcrossTenants' | 'callScalarAcrossTenants'>;

const PAGE_USERS = 1_000;

/**
 * From now on, for a week, changes ask for the vault of their user (docs/reference/vault.md#when-it-is-written). Call it at the
 * start and often. Returns whether all vaults were asked for since it is on; else ask for them and note that.
 */
export function openVault(database: AcrossTenants): Promise<boolean> {
  return database.callScalarAcrossTenants<boolean>('open_vault');
}

/** All vaults were asked for. */
export async function noteVaultsAsked(database: AcrossTenants): Promise<void> {
  await database.callAcrossTenants('note_vaults_asked');
}

/**
 * Nothing asks for the vault any more, and what waits for it is dropped: switching it on asks for everything. Returns whether
 * it was on.
 */
export function closeVault(database: AcrossTenants): Promise<boolean> {
  return database.callScalarAcrossTenants<boolean>('close_vault');
}

/** Asks for the vaults of all users, page by page: work of a user that is there already is not asked for twice. */
export async function requestAllVaults(database: AcrossTenants, now: number): Promise<void> {
  let last = { tenant_id: NIL_UUID, subject_id: NIL_UUID };
  for (;;) {
    const [next] = await database.callAcrossTenants<typeof last>('request_vaults', [
      last.tenant_id,
      last.subject_id,
      PAGE_USERS,
      new Date(now),
    ]);
    if (!next) return;
    last = next;
  }
}

/** Of these ids, those of tenants that this database knows to be deleted. */
export async function findDeletedTenants(database: AcrossTenants, ids: readonly string[]): Promise<string[]> {
  const rows = await database.callAcrossTenants<{ find_deleted_tenants: string }>('find_deleted_tenants', [ids]);
  return rows.map((row) => row.find_deleted_tenants);
}
