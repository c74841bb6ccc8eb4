import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';

type AcrossTenants = Pick<Database, 'callAcrossTenants' | 'callScalarAcrossTenants'>;

const PAGE_USERS = 1_000;

/** What the database knows of the vault. `vaultId`: which folder it is; null: none yet. */
export interface OpenVault {
  /** Whether all vaults were asked for since it is on: else ask for them and note that. */
  readonly isAsked: boolean;
  readonly vaultId: string | null;
}

/**
 * From now on, for a week, changes ask for the vault of their user (docs/reference/vault.md#when-it-is-written). Call it at the
 * start and often.
 */
export async function openVault(database: AcrossTenants): Promise<OpenVault> {
  const [row] = await database.callAcrossTenants<{ is_asked: boolean; vault_id: string | null }>('open_vault');
  return { isAsked: row!.is_asked, vaultId: row!.vault_id };
}

/** Which folder the vault is. */
export async function noteVaultFolder(database: AcrossTenants, vaultId: string): Promise<void> {
  await database.callAcrossTenants('note_vault_folder', [vaultId]);
}

/** All vaults were asked for. */
export async function noteVaultsAsked(database: AcrossTenants): Promise<void> {
  await database.callAcrossTenants('note_vaults_asked');
}

/**
 * Nothing asks for the vault any more, and what waits for it is dropped: switching it on asks for everything. `abandons`: its folder
 * is given up, so that another one may take its place. Returns whether it was on.
 */
export function closeVault(database: AcrossTenants, { abandons }: { readonly abandons: boolean }): Promise<boolean> {
  return database.callScalarAcrossTenants<boolean>('close_vault', [abandons]);
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
