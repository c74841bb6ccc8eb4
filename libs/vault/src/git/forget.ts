import { updateRefs } from './commit.js';
import type { HistoryFilter } from './filter-history.js';
import type { Git } from './git.js';
import { BRANCH, BRANCH_REF, gitPath, hasUnfinished, readBranch, replaceFile } from './git-folder.js';
import { withIndexLock } from './locks.js';
import { dropRemains, dropUnreachable } from './object-store.js';
import { resolveCommit } from './repair.js';
import { rebuildIndex } from './rebuild-index.js';
import { deleteOtherRefs, type RewrittenHistory, rewriteRefs } from './rewrite-refs.js';

export interface ForgottenHistory extends RewrittenHistory {
  /** A person was in the middle of a merge or a rebase, or not on the branch main, which ended: it held former contents. */
  readonly hasEndedOperation: boolean;
}

/**
 * Removes paths and versions from the whole repository: branches and tags are written again without them; stashes, notes,
 * refs of remotes, reflogs and linked work trees go; then every object that nothing reaches. Files in the folder are the
 * caller's to remove. Until all of it is done, a repetition does the rest.
 * @throws {GitError} `locked` when another program holds the index
 */
export async function forgetHistory(git: Git, filter: HistoryFilter): Promise<ForgottenHistory> {
  return withIndexLock(git, async () => {
    const hasEndedOperation = (await hasUnfinished(git.folder)) || (await readBranch(git.folder)) !== BRANCH;
    await attachHead(git);
    await deleteOtherRefs(git);
    const history = await rewriteRefs(git, filter);
    await rebuildIndex(git, filter);
    await dropRemains(git);
    await dropUnreachable(git);
    return { ...history, hasEndedOperation };
  });
}

const SHOWN_ID = 8;

/** Goes back to the branch main. A commit that is on no branch gets one, so that it is rewritten and a person finds it. */
async function attachHead(git: Git): Promise<void> {
  const branch = await readBranch(git.folder);
  if (branch === BRANCH) return;
  const id = await resolveCommit(git, 'HEAD');
  if (id !== null && branch === null)
    await updateRefs(git, [`update refs/heads/detached-${id.slice(0, SHOWN_ID)} ${id}`]);
  await replaceFile(gitPath(git.folder, 'HEAD'), `ref: ${BRANCH_REF}\n`);
}
