import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode, toVaultError } from '../unavailable.js';
import { mapFiles } from './batches.js';

export interface RemovedFolder {
  /** Files and links outside of `.git`. */
  readonly files: number;
  /** Files of the repository. */
  readonly gitFiles: number;
}

/** Times that a folder is emptied again because somebody put a file into it meanwhile. */
const ATTEMPTS = 5;
const ALL_OF_OWNER = 0o700;
const RIGHTS_CODES = ['EACCES', 'EPERM'];

/**
 * Removes a folder with everything in it, read-only files and folders too; links are removed and not followed. May be
 * repeated after it was interrupted: a folder that is gone counts nothing.
 * @throws {VaultUnavailableError}
 */
export async function removeFolder(folder: string): Promise<RemovedFolder> {
  const counts = { files: 0, gitFiles: 0 };
  try {
    const found = await lstat(folder).catch(ignoreMissing);
    if (found?.isDirectory()) await empty(folder, (isGit) => (counts[isGit ? 'gitFiles' : 'files'] += 1), false);
    else if (found) await unlink(folder);
  } catch (error) {
    throw toVaultError(error, folder);
  }
  return counts;
}

async function empty(folder: string, count: (isGit: boolean) => void, isGit: boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const entries = await withRights(folder, () => readdir(folder, { withFileTypes: true }));
    await removeEntries(folder, entries ?? [], count, isGit);
    try {
      await rmdir(folder).catch(ignoreMissing);
      return;
    } catch (error) {
      if (readErrorCode(error) !== 'ENOTEMPTY' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function removeEntries(
  folder: string,
  entries: readonly Dirent[],
  count: (isGit: boolean) => void,
  isGit: boolean,
): Promise<void> {
  const files = entries.filter((entry) => !entry.isDirectory());
  await mapFiles(folder, files, async ({ name }) => {
    await withRights(folder, () => unlink(path.join(folder, name)));
    count(isGit);
  });
  // One after the other: only this level's files are open at a time, however deep it goes.
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    await withRights(folder, () => empty(path.join(folder, name), count, isGit || name === '.git'));
}

/** Runs `work`, and once more with all rights on `folder` when they were missing. `undefined` when it was gone. */
async function withRights<Result>(folder: string, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!RIGHTS_CODES.includes(readErrorCode(error) ?? '')) return ignoreMissing(error);
  }
  await chmod(folder, ALL_OF_OWNER);
  return work().catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (readErrorCode(error) !== 'ENOENT') throw error;
}
