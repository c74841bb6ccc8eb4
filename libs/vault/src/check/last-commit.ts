import { Git, type GitSettings } from '../git/git.js';
import { checkIsPlain } from '../git/check-plain.js';
import { BRANCH_REF, gitPath, isThere } from '../git/git-folder.js';
import { toVaultError } from '../unavailable.js';

const LIST = ['ls-tree', '-r', '-z', '--full-tree', BRANCH_REF];

/**
 * The ids of the texts of the last commit, by path; none when there is no repository. Repairs nothing and clears no locks, so that it
 * can run beside the process that writes.
 * @throws {GitError | VaultUnavailableError}
 */
export async function readLastCommit(folder: string, settings: GitSettings): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  try {
    if (!(await isThere(gitPath(folder)))) return files;
    await checkIsPlain(folder);
    let rest: Buffer = Buffer.alloc(0);
    // Exit code 128: there is no commit yet, or it cannot be read.
    for await (const chunk of new Git(folder, settings).stream(LIST, { allowed: [128] })) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(0) + 1;
      rest = bytes.subarray(end);
      for (const line of bytes.toString('utf8', 0, end).split('\0').filter(Boolean)) {
        const [attributes, path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
        files.set(path, attributes.split(' ')[2]!);
      }
    }
    return files;
  } catch (error) {
    throw toVaultError(error, folder);
  }
}
