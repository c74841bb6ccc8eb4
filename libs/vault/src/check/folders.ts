import { subjectSuffix, vaultFolderOf } from '@annals/domain';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listFolders, listVaultTenants, type VaultOwner } from '../projection/vault-folder.js';
import { removeFile } from '../files/remove-file.js';
import { claimFolder, INDEX_PATH } from '../projection/vault-index.js';
import { VaultUnavailableError } from '../unavailable.js';

/** How the folder of a user ends; other folders are somebody's own. */
const SUBJECT = /~[0-9a-f]{12}$/;

/** The folders of users that lie in the folder of a tenant, from which those that are accounted for are taken. */
export class TenantFolders {
  private constructor(
    private readonly root: string,
    private readonly tenantId: string,
    private readonly names: Set<string>,
  ) {}

  /** @throws VaultUnavailableError */
  static async read(root: string, tenantId: string): Promise<TenantFolders> {
    const names = await listFolders(join(root, tenantId));
    return new TenantFolders(root, tenantId, new Set(names.filter((name) => SUBJECT.test(name))));
  }

  /** The folder of a user, which is accounted for from now on; null: there is none. */
  takeOf({ userId, subjectId }: Omit<VaultOwner, 'tenantId'>): string | null {
    const path = vaultFolderOf(this.tenantId, userId, subjectId);
    return this.names.delete(path.slice(this.tenantId.length + 1)) ? join(this.root, path) : null;
  }

  /** The same of an erased user, whose id is not known any more. */
  takeOfSubject(subjectId: string): string[] {
    const taken = [...this.names].filter((name) => name.endsWith(subjectSuffix(subjectId)));
    for (const name of taken) this.names.delete(name);
    return taken.map((name) => join(this.root, this.tenantId, name));
  }

  /**
   * What is accounted for by nobody, and is still there: folders of erased users are removed meanwhile.
   * @throws VaultUnavailableError
   */
  async readLeft(): Promise<string[]> {
    if (this.names.size === 0) return [];
    const there = new Set(await listFolders(join(this.root, this.tenantId)));
    const left = [...this.names].filter((name) => there.has(name)).toSorted();
    return left.map((name) => join(this.root, this.tenantId, name));
  }
}

/**
 * The tenants that have a folder in the vault.
 * @throws VaultUnavailableError also when the root is missing, as when its volume is not mounted
 */
export async function listTenantsOfVault(root: string): Promise<string[]> {
  if (!existsSync(root)) throw new VaultUnavailableError('ENOENT', root);
  return listVaultTenants(root);
}

/**
 * Lets the next run write every file of the folder anew: sets its snapshot index aside. Another process that is writing the folder stops.
 * `claim`: an id that nobody else has.
 * @throws VaultUnavailableError
 */
export async function setIndexAside(folder: string, claim: string): Promise<void> {
  await claimFolder(folder, claim);
  await removeFile(folder, INDEX_PATH);
}
