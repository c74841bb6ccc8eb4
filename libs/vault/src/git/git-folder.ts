import { lstat, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../unavailable.js';
import { GitError } from './git-error.js';

export const BRANCH = 'main';
export const BRANCH_REF = `refs/heads/${BRANCH}`;
/** Where a commit stands until the branch is set to it. */
export const NEXT_REF = 'refs/annals/next';
/** In `.git` while this process changes something: the locks that a killed process left beside it are its own. */
export const MARKER = 'annals-committing';

/** What a person's unfinished merge, rebase, cherry-pick or bisection leaves in `.git`. */
const UNFINISHED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];

export interface VaultState {
  /** The last commit of the branch, or `null` before the first one. */
  readonly head: string | null;
  /** The branch that is checked out, or `null` for a commit without a branch. */
  readonly branch: string | null;
  /** A person is in the middle of something, or is not on the branch of the vault: nothing is committed meanwhile. */
  readonly isBusy: boolean;
}

export function gitPath(folder: string, ...parts: string[]): string {
  return path.join(folder, '.git', ...parts);
}

/** The file's bytes, or `null` when there is none. */
export async function readIfThere(place: string): Promise<Buffer | null> {
  try {
    return await readFile(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error) ?? '')) return null;
    throw error;
  }
}

export async function isThere(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => null)) !== null;
}

/** Replaces a small file of `.git` whole or not at all. */
export async function replaceFile(place: string, text: string): Promise<void> {
  const next = `${place}.annals-next`;
  await writeFile(next, text);
  await rename(next, place);
}

/** All files below a folder of `.git`, absolute; none when it is missing. Links are listed and not followed. */
export async function listBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The branch that `.git/HEAD` names, or `null` when it names a commit. */
export async function readBranch(folder: string): Promise<string | null> {
  const head = (await readIfThere(gitPath(folder, 'HEAD')))?.toString('utf8') ?? '';
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1] ?? null;
}

export async function hasUnfinished(folder: string): Promise<boolean> {
  const found = await Promise.all(UNFINISHED.map((name) => isThere(gitPath(folder, name))));
  return found.includes(true);
}

/**
 * Refuses what the vault cannot keep or forget in: a repository whose objects are in another place.
 * @throws {GitError} `unsupported`
 */
export async function checkIsPlain(folder: string): Promise<void> {
  const git = await lstat(gitPath(folder)).catch(() => null);
  if (git === null) return;
  if (!git.isDirectory()) throw unsupported(folder, 'is no folder');
  const objects = await lstat(gitPath(folder, 'objects')).catch(() => null);
  if (objects && !objects.isDirectory()) throw unsupported(folder, 'has its objects in another folder');
  const [commonDir, tables] = await Promise.all([
    isThere(gitPath(folder, 'commondir')),
    isThere(gitPath(folder, 'reftable')),
  ]);
  if (commonDir) throw unsupported(folder, 'belongs to a linked work tree');
  if (tables) throw unsupported(folder, 'keeps its branches in the format reftable');
}

function unsupported(folder: string, what: string): GitError {
  const how = 'Move it away and start again: the vault then makes a repository of its own.';
  return new GitError('unsupported', `${folder}/.git ${what}. ${how}`);
}
