import type { IdGenerator } from '@annals/domain';
import { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun } from '@annals/runtime';
import { findDeletedTenants, noteVaultFolder, noteVaultsAsked, openVault, requestAllVaults } from '@annals/storage';
import { listVaultTenants, openVaultRoot, removeVaultOfTenant } from '@annals/vault';

const MINUTE_MS = 60_000;

/**
 * Keeps the vault switched on, asks for everything when it is new, and removes the folders of tenants that were deleted. One process
 * of the fleet runs it at a time.
 */
export function createVaultJob(root: string, ids: IdGenerator): MaintenanceJob {
  return { name: 'vault', intervalMs: MINUTE_MS, run: (run) => keepVault(root, ids, run) };
}

async function keepVault(
  root: string,
  ids: IdGenerator,
  { database, clock }: MaintenanceRun,
): Promise<MaintenanceProgress> {
  const { isAsked, vaultId } = await openVault(database);
  // An empty folder where there was a vault is a volume that is not mounted.
  const found = await openVaultRoot(root, { known: vaultId, next: ids.next() });
  if (vaultId === null) await noteVaultFolder(database, found);
  if (!isAsked) {
    await requestAllVaults(database, clock.now());
    await noteVaultsAsked(database);
  }
  const deleted = await findDeletedTenants(database, await listVaultTenants(root));
  for (const tenantId of deleted) await removeVaultOfTenant(root, tenantId);
  return { done: deleted.length, cursor: null };
}
