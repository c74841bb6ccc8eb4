import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { updateRefs } from './commit.js';
import type { Git } from './git.js';
import { GitError } from './git-error.js';
import { BRANCH_REF, gitPath, isThere, MARKER, NEXT_REF, readIfThere, replaceFile } from './git-folder.js';
import { withIndexLock } from './locks.js';
import { removeEmptyObjects, removeTornObjects } from './loose-objects.js';
import { rebuildIndex } from './rebuild-index.js';
import { rewriteRefs } from './rewrite-refs.js';

const ID = /^[0-9a-f]{40}$/;
const MINIMAL_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';

/** Repairs the files without which Git does not even take `.git` for a repository: empty or full of zeros. */
export async function repairBasics(folder: string): Promise<void> {
  if (!(await isThere(gitPath(folder)))) return;
  const [head, config] = await Promise.all([
    readIfThere(gitPath(folder, 'HEAD')),
    readIfThere(gitPath(folder, 'config')),
  ]);
  const headText = head?.toString('latin1').trim() ?? '';
  if (!headText.startsWith('ref: refs/') && !ID.test(headText))
    await replaceFile(gitPath(folder, 'HEAD'), `ref: ${BRANCH_REF}\n`);
  if (config !== null && config.length > 0 && config.every((byte) => byte === 0))
    await replaceFile(gitPath(folder, 'config'), MINIMAL_CONFIG);
}

/**
 * Repairs what a killed process or a power loss left: torn objects, branch and index. Returns whether commits or files of
 * commits were lost, so that everything has to be committed again.
 */
export async function repairRepository(git: Git, wasKilled: boolean): Promise<boolean> {
  const empty = await removeEmptyObjects(git.folder, wasKilled);
  const tornRef = await removeTornRef(git.folder);
  const head = await readHead(git);
  const isSuspicious = wasKilled || empty > 0 || tornRef;
  let hasLostHistory = false;
  if (isSuspicious) {
    await removeTornObjects(git.folder);
    if (wasKilled) await removeNextRef(git);
    hasLostHistory = await healHistory(git, head, tornRef);
  }
  await repairIndex(git);
  if (wasKilled) await rm(gitPath(git.folder, MARKER), { force: true });
  return hasLostHistory;
}

/** The last commit of the branch, or `null`: none yet, or not to be read. */
export async function readHead(git: Git): Promise<string | null> {
  return resolveCommit(git, BRANCH_REF);
}

/** The commit that a revision leads to, or `null`: none, or not to be read. */
export async function resolveCommit(git: Git, revision: string): Promise<string | null> {
  try {
    const id = await git.text(['rev-parse', '--verify', '-q', `${revision}^{commit}`], { allowed: [1] });
    return ID.test(id) ? id : null;
  } catch (error) {
    // Not for a configuration that Git does not take: the branch is there all the same.
    if (error instanceof GitError && error.code === 'failed') return null;
    throw error;
  }
}

async function removeTornRef(folder: string): Promise<boolean> {
  const place = gitPath(folder, BRANCH_REF);
  const ref = (await readIfThere(place))?.toString('latin1').trim();
  if (ref === undefined || ID.test(ref) || ref.startsWith('ref: ')) return false;
  await rm(place, { force: true });
  return true;
}

async function removeNextRef(git: Git): Promise<void> {
  await rm(gitPath(git.folder, NEXT_REF), { force: true });
  await updateRefs(git, [`delete ${NEXT_REF}`]);
}

async function healHistory(git: Git, head: string | null, tornRef: boolean): Promise<boolean> {
  if (head !== null && !tornRef && (await isWhole(git, head))) return false;
  if (head !== null && !tornRef && (await healWithoutMissing(git))) return true;
  const isBegun = head !== null || tornRef || (await isThere(gitPath(git.folder, BRANCH_REF)));
  if (!isBegun) return false;
  const candidates = await listCandidates(git);
  for (const candidate of candidates) {
    // In turn: the first that is whole is the newest.
    if (await isWhole(git, candidate)) {
      await setBranch(git, candidate);
      return candidate !== candidates[0];
    }
  }
  await setBranch(git, null);
  return true;
}

/** Whether all objects of this commit and those before it are there. */
async function isWhole(git: Git, commit: string): Promise<boolean> {
  try {
    await git.run(['rev-list', '--objects', '--quiet', `${commit}^{commit}`, '--']);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return false;
    throw error;
  }
}

/** When only texts are missing, the history without these stays. */
async function healWithoutMissing(git: Git): Promise<boolean> {
  try {
    const listed = await git.text([
      'rev-list',
      '--objects',
      '--missing=print',
      '--quiet',
      '--branches',
      '--tags',
      '--',
    ]);
    const missing = new Set(listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : [])));
    if (missing.size === 0) return false;
    const filter = { keep: () => true, keepsBlob: (_: string, id: string) => !missing.has(id) };
    await withIndexLock(git, async () => {
      await rewriteRefs(git, filter);
      await rebuildIndex(git, filter);
    });
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return false;
    throw error;
  }
}

/** Commits that the branch may be set to, the newest first: those of its reflog, else all there are. */
async function listCandidates(git: Git): Promise<string[]> {
  const logs = await Promise.all(
    ['logs/refs/heads/main', 'logs/HEAD'].map((name) => readIfThere(gitPath(git.folder, name))),
  );
  const logged = logs.flatMap((log) => (log?.toString('latin1') ?? '').split('\n').toReversed());
  const ids = logged.map((line) => line.split(' ', 2)[1] ?? '').filter((id) => ID.test(id) && !/^0+$/.test(id));
  return [...new Set([...ids, ...(await listCommitsByTime(git))])];
}

async function listCommitsByTime(git: Git): Promise<string[]> {
  const format = '--batch-check=%(objecttype) %(objectname)';
  const objects = (await git.text(['cat-file', '--batch-all-objects', format])).split('\n');
  const ids = objects.flatMap((line) => (line.startsWith('commit ') ? [line.slice('commit '.length)] : []));
  if (ids.length === 0) return [];
  const input = [Buffer.from(`${ids.join('\n')}\n`)];
  return (await git.text(['rev-list', '--no-walk=sorted', '--stdin'], { input })).split('\n').filter(Boolean);
}

async function setBranch(git: Git, commit: string | null): Promise<void> {
  await rm(gitPath(git.folder, BRANCH_REF), { force: true });
  const line = commit === null ? `delete ${BRANCH_REF}` : `update ${BRANCH_REF} ${commit}`;
  await updateRefs(git, [line]);
}

/** An index that is torn, or gone although there are commits, becomes that of the last commit. */
async function repairIndex(git: Git): Promise<void> {
  const place = gitPath(git.folder, 'index');
  const index = await readIfThere(place);
  const head = await readHead(git);
  if (index !== null && isWholeIndex(index) && (await isReadable(git))) return;
  if (index === null && head === null) return;
  await rm(place, { force: true });
  if (head !== null) await git.run(['read-tree', head]);
}

const DIGEST_BYTES = 20;

/** By the checksum at its end, which is zeros when a person has switched it off. */
function isWholeIndex(index: Buffer): boolean {
  if (index.toString('latin1', 0, 4) !== 'DIRC') return false;
  const end = index.length - DIGEST_BYTES;
  const sum = index.subarray(end);
  return sum.every((byte) => byte === 0) || createHash('sha1').update(index.subarray(0, end)).digest().equals(sum);
}

async function isReadable(git: Git): Promise<boolean> {
  try {
    await git.run(['ls-files', '--stage', '-z']);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 'failed') return false;
    throw error;
  }
}
