import { lstat, open, readdir, rm, writeFile } from 'node:fs/promises';
import { mapFiles } from '../files/batches.js';
import { readErrorCode } from '../unavailable.js';
import type { Git } from './git.js';
import { describeFailure, GitError } from './git-error.js';
import { gitPath, listBelow, MARKER } from './git-folder.js';

/** A lock of another program that is older was left by one that was killed: Git holds locks for seconds. */
const MAX_LOCK_AGE_MS = 600_000;

/** File systems round times; some to two seconds. */
const TIME_RESOLUTION_MS = 2_000;

/**
 * Removes the locks that a killed process of ours left, which its marker tells, and those that are too old. Returns
 * whether there was such a marker. A person's `git gc` holds a lock of its own, of `collections` of garbage, which does not
 * hinder commits; the objects that it writes may be those that are to be forgotten.
 * @throws {GitError} `locked` when another program holds one
 */
export async function clearLocks(git: Git, alsoOf: 'collections' | 'none' = 'none'): Promise<boolean> {
  const { folder, settings } = git;
  const marker = await lstat(gitPath(folder, MARKER)).catch(() => null);
  const ours = marker ? marker.mtimeMs - TIME_RESOLUTION_MS : Infinity;
  const foreign = settings.clock.now() - MAX_LOCK_AGE_MS;
  const held = await mapFiles(folder, await listLocks(folder, alsoOf === 'collections'), async (lock) => {
    const found = await lstat(lock).catch(() => null);
    if (found === null) return false;
    if (found.mtimeMs < ours && found.mtimeMs > foreign) return true;
    await rm(lock, { force: true });
    return false;
  });
  if (held.includes(true)) throw describeFailure(folder, 'lock', 0, `fatal: Unable to create '.lock': File exists.`);
  return marker !== null;
}

/**
 * Runs `work` between writing and removing the marker; that of a killed process stays until the next one. A run of Git
 * that was ended because of its time or of a shutdown leaves locks, which are removed here.
 */
export async function withMarker<Result>(git: Git, work: () => Promise<Result>): Promise<Result> {
  const marker = gitPath(git.folder, MARKER);
  await writeFile(marker, '');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError) || ['timeout', 'failed'].includes(error.code)) await clearLocks(git);
    throw error;
  } finally {
    await rm(marker, { force: true });
  }
}

/** Keeps other programs from staging and committing while `work` runs. It may replace the index meanwhile. */
export async function withIndexLock<Result>({ folder }: Git, work: () => Promise<Result>): Promise<Result> {
  const lock = gitPath(folder, 'index.lock');
  const file = await open(lock, 'wx').catch((error: unknown) => {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    throw describeFailure(folder, 'lock', 0, `fatal: Unable to create 'index.lock': File exists.`);
  });
  await file.close();
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function listLocks(folder: string, withCollections: boolean): Promise<string[]> {
  const top = await readdir(gitPath(folder)).catch(() => []);
  const below = await listBelow(gitPath(folder, 'refs'));
  const named = top.filter((name) => isLock(name) || (withCollections && name === 'gc.pid'));
  return [...named.map((name) => gitPath(folder, name)), ...below.filter((file) => file.endsWith('.lock'))];
}

// That of the configuration is held by no program that touches commits.
function isLock(name: string): boolean {
  return name.endsWith('.lock') && name !== 'config.lock';
}
