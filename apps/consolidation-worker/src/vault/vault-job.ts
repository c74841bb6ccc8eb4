import { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun } from '@annals/runtime';
import { findDeletedTenants, noteVaultsAsked, openVault, requestAllVaults } from '@annals/storage';
import { listVaultTenants, openVaultRoot, removeVaultOfTenant } from '@annals/vault';

const MINUTE_MS = 60_000;

/**
 * Keeps the vault switched on, asks for everything when it is new, and removes the folders of tenants that were deleted. One process
 * of the fleet runs it at a time.
 */
export function createVaultJob(root: string): MaintenanceJob {
  return { name: 'vault', intervalMs: MINUTE_MS, run: (run) => keepVault(root, run) };
}

async function keepVault(root: string, { database, clock }: MaintenanceRun): Promise<MaintenanceProgress> {
  const isAsked = await openVault(database);
  // A folder that is empty although the vault was on is a volume that is not mounted.
  await openVaultRoot(root, { mayCreate: !isAsked });
  if (!isAsked) {
    await requestAllVaults(database, clock.now());
    await noteVaultsAsked(database);
  }
  const deleted = await findDeletedTenants(database, await listVaultTenants(root));
  for (const tenantId of deleted) await removeVaultOfTenant(root, tenantId);
  return { done: deleted.length, cursor: null };
}
