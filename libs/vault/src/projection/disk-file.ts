import { readdir, rename } from 'node:fs/promises';
import { posix } from 'node:path';
import { conflictPathOf, gitBlobId, isConflictPath } from '@annals/domain';
import { type FileStamp, readStamp } from '../files/file-stamp.js';
import { FolderGuard } from '../files/folder-guard.js';
import type { OwnChanges } from '../files/own-changes.js';
import { readBytes } from '../files/read-file.js';
import { tryLink } from '../files/write-file.js';
import { readErrorCode, toVaultError } from '../unavailable.js';

/** More than the longest message and its front matter. */
const MAX_BYTES = 67_108_864;
/** Files that are set aside beside one other. */
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
 * Where a file was set aside. `known`: a file that was set aside before has the same text. `full`: there is no free name, or a
 * link or a file is in the place of the folder.
 */
export type SetAside = { readonly outcome: 'kept' | 'known'; readonly path: string } | { readonly outcome: 'full' };

/**
 * Gives the file at `path` a second name beside `keptFor`, `<name>.conflict.md` or the next free one, so that it can be
 * replaced without being lost, unless one of these has its text. `own` notes it. `limit`: names that are tried. Null: the file
 * is not there any more.
 * @throws VaultUnavailableError
 */
export async function setAside(
  folder: string,
  path: string,
  keptFor = path,
  { own, limit = MAX_CONFLICTS }: { readonly own?: OwnChanges | undefined; readonly limit?: number } = {},
): Promise<SetAside | null> {
  const guard = new FolderGuard(folder);
  const from = guard.resolve(path);
  try {
    if ((await readStamp(from)) === null) return null;
    if ((await guard.createParent(keptFor)) !== 'folder') return { outcome: 'full' };
    const taken = await listConflicts(guard, keptFor);
    const known = await findSame(folder, path, taken);
    if (known !== null) return { outcome: 'known', path: known };
    for (let n = 1; n <= limit; n += 1) {
      const kept = conflictPathOf(keptFor, n);
      if (taken.has(kept)) continue;
      const done = await giveName(guard, from, kept, own);
      // Without its folder, it has to stay where it is.
      if (done === 'missing') return (await readStamp(from)) === null ? null : { outcome: 'full' };
      if (done === 'named') return { outcome: 'kept', path: kept };
    }
    return { outcome: 'full' };
  } catch (error) {
    throw toVaultError(error, folder);
  }
}

async function giveName(
  guard: FolderGuard,
  from: string,
  kept: string,
  own: OwnChanges | undefined,
): Promise<'named' | 'taken' | 'missing'> {
  const to = guard.resolve(kept);
  const stamp = own ? await readStamp(from) : null;
  const end = stamp === 'refused' ? undefined : own?.begin(guard.folder, kept, stamp);
  let isNamed = false;
  try {
    const linked = await tryLink(from, to);
    if (linked === 'taken' || linked === 'missing') return linked;
    if (linked === 'linked') {
      isNamed = true;
      return 'named';
    }
    // A file system without links. Nobody else makes files of this name.
    if ((await readDiskFile(guard.folder, kept)).state !== 'missing') return 'taken';
    await rename(from, to);
    isNamed = true;
    return 'named';
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return 'missing';
    throw error;
  } finally {
    end?.(isNamed);
  }
}

/** What was set aside beside a file before. */
async function listConflicts(guard: FolderGuard, keptFor: string): Promise<ReadonlySet<string>> {
  const parent = posix.dirname(keptFor);
  const start = `${posix.basename(keptFor, '.md')}.conflict`;
  const names = await readdir(posix.dirname(guard.resolve(keptFor)));
  const found = names.filter((name) => name.startsWith(start) && isConflictPath(name));
  return new Set(found.map((name) => posix.join(parent, name)));
}

/** Which of these files has the text of that at `path`; null: none. */
async function findSame(folder: string, path: string, others: ReadonlySet<string>): Promise<string | null> {
  const wanted = await readDiskFile(folder, path);
  if (wanted.state !== 'file') return null;
  const guard = new FolderGuard(folder);
  for (const other of others) {
    if (other === path) continue;
    // There can be a thousand: only those that may be the same are read.
    const stamp = await readStamp(guard.resolve(other));
    if (stamp === null || stamp === 'refused' || stamp.size !== wanted.stamp.size) continue;
    const found = await readDiskFile(folder, other);
    if (found.state === 'file' && found.blob === wanted.blob) return other;
  }
  return null;
}
