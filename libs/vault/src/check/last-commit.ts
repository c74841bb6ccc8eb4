import { Git, type GitSettings } from '../git/git.js';
import { checkIsPlain } from '../git/check-plain.js';
import { BRANCH_REF, gitPath, isThere } from '../git/git-folder.js';
import { readTree } from '../git/read-tree.js';
import { toVaultError } from '../unavailable.js';

/**
 * The ids of the texts of the last commit, by path; none when there is no repository. Repairs nothing and clears no locks, so that it
 * can run beside the process that writes.
 * @throws {GitError | VaultUnavailableError}
 */
export async function readLastCommit(folder: string, settings: GitSettings): Promise<Map<string, string>> {
  try {
    if (!(await isThere(gitPath(folder)))) return new Map();
    await checkIsPlain(folder);
    // Exit code 128: there is no commit yet, or it cannot be read.
    return await readTree(new Git(folder, settings), BRANCH_REF, { allowed: [128] });
  } catch (error) {
    throw toVaultError(error, folder);
  }
}
