import { removeFolder } from '../files/remove-folder.js';
import { VaultUnavailableError } from '../unavailable.js';
import { findVaultFolders } from './vault-folder.js';

/** What was removed: files that people could see, and commits. */
export interface RemovedVault {
  readonly files: number;
  readonly commits: number;
}

/**
 * Removes everything of a subject: files, snapshot index, and the repository with its whole history. Repeating it counts what the
 * interrupted one had left.
 * @throws VaultUnavailableError while anything is left
 */
export async function removeVault(
  root: string,
  { tenantId, subjectId }: { readonly tenantId: string; readonly subjectId: string },
  countCommits: (folder: string) => Promise<number>,
): Promise<RemovedVault> {
  let [files, commits] = [0, 0];
  for (const folder of await findVaultFolders(root, tenantId, subjectId)) {
    commits += await countCommits(folder);
    files += (await removeFolder(folder)).files;
  }
  const left = await findVaultFolders(root, tenantId, subjectId);
  if (left.length > 0) throw new VaultUnavailableError('EBUSY', left[0]!);
  return { files, commits };
}
