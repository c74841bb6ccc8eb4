import { lstat, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openToRead } from '../files/read-file.js';
import { readErrorCode } from '../unavailable.js';
import { NO_REGULAR_FILE, unsupported } from './git-error.js';

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

/**
 * The file's bytes, or `null` when there is none. Waits for no other program, as a named pipe would make it.
 * @throws {GitError} `unsupported` for a link and everything else that is no regular file
 */
export async function readIfThere(place: string): Promise<Buffer | null> {
  const file = await openToRead(place);
  if (file === 'missing') return null;
  if (file === 'refused') throw unsupported(place, NO_REGULAR_FILE);
  try {
    if (!(await file.stat()).isFile()) throw unsupported(place, NO_REGULAR_FILE);
    return await file.readFile();
  } finally {
    await file.close();
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

/** All files below a folder, absolute; none when it is missing. Links are listed and not followed. */
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
