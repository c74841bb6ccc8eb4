import { conflictPathOf, gitBlobId } from '@annals/domain';
import { rename } from 'node:fs/promises';
import { type FileStamp, readStamp } from '../files/file-stamp.js';
import { FolderGuard } from '../files/folder-guard.js';
import type { OwnChanges } from '../files/own-changes.js';
import { readBytes } from '../files/read-file.js';
import { tryLink } from '../files/write-file.js';
import { toVaultError } from '../unavailable.js';

/** More than the longest message and its front matter. */
const MAX_BYTES = 67_108_864;
/** Names for what is set aside, before one more is given up. */
const MAX_CONFLICTS = 1_000;

/** What is at a path: a file with its content as Git names it, nothing, or something that is no file. */
export type DiskFile =
  | { readonly state: 'file'; readonly blob: string; readonly stamp: FileStamp }
  | { readonly state: 'missing' | 'refused' };

/** @throws VaultUnavailableError */
export async function readDiskFile(folder: string, path: string): Promise<DiskFile> {
  try {
    const found = await readBytes(new FolderGuard(folder), path, MAX_BYTES);
    if (found.outcome === 'read') {
      return { state: 'file', blob: gitBlobId(found.bytes), stamp: found.stamp };
    }
    return { state: found.outcome === 'missing' ? 'missing' : 'refused' };
  } catch (error) {
    throw toVaultError(error, folder);
  }
}

/**
 * Gives the file at `path` a second name beside `keptFor`, `<name>.conflict.md` or the next free one, so that it can be
 * replaced without being lost. Returns that name. `own` notes it.
 * @throws VaultUnavailableError
 */
export async function setAside(folder: string, path: string, keptFor = path, own?: OwnChanges): Promise<string> {
  const guard = new FolderGuard(folder);
  await guard.createParent(keptFor);
  try {
    for (let n = 1; n <= MAX_CONFLICTS; n += 1) {
      const kept = conflictPathOf(keptFor, n);
      const [from, to] = [guard.resolve(path), guard.resolve(kept)];
      const stamp = own ? await readStamp(from) : null;
      const end = stamp === 'refused' ? undefined : own?.begin(folder, kept, stamp);
      const linked = await tryLink(from, to);
      if (linked === 'linked') {
        end?.(true);
        return kept;
      }
      // A file system without links. Nobody else makes files of this name.
      if (linked === 'failed' || (await readDiskFile(folder, kept)).state !== 'missing') {
        end?.(false);
        continue;
      }
      await rename(from, to);
      end?.(true);
      return kept;
    }
  } catch (error) {
    throw toVaultError(error, folder);
  }
  throw new Error(
    `There are ${MAX_CONFLICTS} files that were set aside in one place of the vault: read and delete them.`,
  );
}
