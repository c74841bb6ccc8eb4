import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode, toVaultError, VaultUnavailableError } from '../unavailable.js';
import { mapFiles } from './batches.js';
import { type FileStamp, toStamp } from './file-stamp.js';
import { TEMPORARY_PREFIX } from './temporary-name.js';

export interface VaultFile extends FileStamp {
  /** In the folder, parts separated by `/`. */
  readonly path: string;
}

/**
 * The regular files below `folder`, in no certain order. Names that begin with a dot are skipped, folders and files, and
 * so are links, and names that are no UTF-8. What disappears meanwhile is left out; a folder that cannot be read is an
 * error, since its files would look deleted.
 * @throws {VaultUnavailableError} also when `folder` itself is missing, as when its volume is not mounted
 */
export async function listFiles(folder: string): Promise<VaultFile[]> {
  const paths: string[] = [];
  await walk(folder, (place, entry) => {
    if (entry.name.startsWith('.')) return false;
    if (entry.isFile()) paths.push(place);
    return true;
  });
  const files = await mapFiles(folder, paths, (relativePath) => describeFile(folder, relativePath));
  return files.filter((file) => file !== null);
}

/**
 * Removes what killed processes left of files that they were replacing. Returns how many there were.
 * @throws {VaultUnavailableError}
 */
export async function removeLeftovers(folder: string): Promise<number> {
  const leftovers: string[] = [];
  await walk(folder, (place, entry) => {
    if (entry.name.startsWith(TEMPORARY_PREFIX) && !entry.isDirectory()) leftovers.push(place);
    return !entry.name.startsWith('.');
  });
  await mapFiles(folder, leftovers, (place) => rm(path.join(folder, place), { force: true }));
  return leftovers.length;
}

/** Calls `visit` for everything below `folder`; it says whether to go into a folder. Links are not followed. */
async function walk(folder: string, visit: (relativePath: string, entry: Dirent) => boolean): Promise<void> {
  let level = [''];
  while (level.length > 0) {
    const found = await mapFiles(folder, level, async (inside) => {
      const entries = await readFolder(path.join(folder, inside), inside === '');
      return entries.map((entry) => ({ entry, place: inside === '' ? entry.name : `${inside}/${entry.name}` }));
    });
    level = found
      .flat()
      .filter(({ entry, place }) => visit(place, entry) && entry.isDirectory())
      .map(({ place }) => place);
  }
}

async function readFolder(place: string, isRoot: boolean): Promise<Dirent[]> {
  try {
    return await readdir(place, { withFileTypes: true });
  } catch (error) {
    const code = readErrorCode(error);
    if (isRoot && (code === 'ENOENT' || code === 'ENOTDIR')) throw new VaultUnavailableError('ENOENT', place);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw toVaultError(error, place);
  }
}

async function describeFile(folder: string, relativePath: string): Promise<VaultFile | null> {
  try {
    const found = await lstat(path.join(folder, relativePath));
    return found.isFile() ? { path: relativePath, ...toStamp(found) } : null;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT' || readErrorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}
