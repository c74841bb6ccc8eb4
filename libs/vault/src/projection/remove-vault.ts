import { removeFolder } from '../files/remove-folder.js';
import { VaultUnavailableError } from '../unavailable.js';
import { findVaultFolders, requireVaultRoot } from './vault-folder.js';

/** What was removed: files that people could see, and commits. */
export interface RemovedVault {
  readonly files: number;
  readonly commits: number;
}

/**
 * Removes everything of a subject: files, snapshot index, and the repository with its whole history. Repeating it counts what the
 * interrupted one had left.
 * @throws VaultUnavailableError while anything is left, the volume is away, or a link is there, whose target may hold words
 */
export async function removeVault(
  root: string,
  { tenantId, subjectId }: { readonly tenantId: string; readonly subjectId: string },
  countCommits: (folder: string) => Promise<number>,
): Promise<RemovedVault> {
  let [files, commits] = [0, 0];
  await requireVaultRoot(root);
  const found = await findVaultFolders(root, tenantId, subjectId);
  for (const { place } of found.filter(({ isFolder }) => isFolder)) {
    commits += await countCommits(place);
    files += (await removeFolder(place)).files;
  }
  const [left] = await findVaultFolders(root, tenantId, subjectId);
  if (left) throw new VaultUnavailableError(left.isFolder ? 'EBUSY' : 'ENOTDIR', left.place);
  return { files, commits };
}
