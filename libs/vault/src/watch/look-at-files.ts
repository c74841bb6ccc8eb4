import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStamp, toStamp } from '../files/file-stamp.js';
import { listFiles } from '../files/list-files.js';
import { isLeftBy, type OwnChanges } from '../files/own-changes.js';
import { VaultIndex } from '../projection/vault-index.js';
import { readErrorCode, VaultUnavailableError } from '../unavailable.js';
import { listForeignFiles } from './foreign-files.js';

/** Whether the files of a user are not as the last run left them, nor as this process did since. */
export async function isChangedByOthers(folder: string, own: OwnChanges): Promise<boolean> {
  try {
    // The index first: what is written meanwhile is known as this process's own.
    const index = await VaultIndex.peek(folder);
    for (const path of listForeignFiles(await listFiles(folder), index)) {
      if ((await lookAt(folder, path, own)) !== 'own') return true;
    }
    return false;
  } catch (error) {
    if (!(error instanceof VaultUnavailableError)) throw error;
    // Gone meanwhile, or a fault of the disk, which the work about this user tells.
    return false;
  }
}

/** What is at a path in the folder of a user now: a folder, what this process left there (also nothing), or something else. */
export async function lookAt(folder: string, path: string, own: OwnChanges): Promise<'folder' | 'own' | 'foreign'> {
  for (;;) {
    const note = own.find(folder, path);
    const found = await readPlace(join(folder, path));
    if (found === 'folder') return 'folder';
    const now = own.find(folder, path);
    // Written meanwhile: what was found may be what was there before.
    if (note !== now) continue;
    return found !== 'other' && note !== undefined && isLeftBy(note, found) ? 'own' : 'foreign';
  }
}

/** What is at a place: a file, nothing, a folder, or something else. */
export async function readPlace(place: string): Promise<FileStamp | null | 'folder' | 'other'> {
  try {
    const found = await lstat(place);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? toStamp(found) : 'other';
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return 'other';
  }
}
