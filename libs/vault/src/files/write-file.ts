import { constants } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../unavailable.js';
import { mapFiles } from './batches.js';
import { compareFile, type ExpectedFile } from './expected-file.js';
import { type FileStamp, toStamp } from './file-stamp.js';
import { FolderGuard } from './folder-guard.js';
import type { OwnChanges } from './own-changes.js';
import { temporaryPlace } from './temporary-name.js';

export interface FileWrite {
  /** In the folder, parts separated by `/`. */
  readonly path: string;
  readonly text: string;
  /** Default: whatever regular file is there is replaced. */
  readonly expected?: ExpectedFile;
}

/**
 * `written`, with the stamp by which the caller recognises its own file. `changed`: something else than expected is
 * there, and stays. `refused`: a link or no regular file is there or on the way to it.
 */
export type WriteResult =
  { readonly outcome: 'written'; readonly stamp: FileStamp } | { readonly outcome: 'changed' | 'refused' };

export interface WriteOptions {
  /** Waits until the disk has the text; a power loss then cannot leave an empty file. Default: no. */
  readonly isSynced?: boolean;
  /** Notes what is written. */
  readonly own?: OwnChanges | undefined;
}

/** Of new files, before the umask: nothing for other users of the machine. */
const FILE_MODE = 0o660;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** File systems without hard links, as exFAT, answer with one of these. */
const NO_LINK_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/**
 * Puts `text` at a path, whole or not at all, and creates the folders to it. With `expected`, what a person wrote there
 * meanwhile is never replaced: it is compared before, and the replaced file once more afterwards.
 * @throws {VaultUnavailableError | VaultPathError}
 */
export async function writeFileAtomically(
  folder: string,
  relativePath: string,
  text: string,
  options: WriteOptions & { readonly expected?: ExpectedFile } = {},
): Promise<WriteResult> {
  const [result] = await writeFiles(folder, [{ path: relativePath, text, expected: options.expected }], options);
  return result!;
}

/** As `writeFileAtomically`, for many different paths; results in the order of `writes`. */
export function writeFiles(
  folder: string,
  writes: readonly FileWrite[],
  options: WriteOptions = {},
): Promise<WriteResult[]> {
  const guard = new FolderGuard(folder);
  return mapFiles(folder, writes, (write) => writeOne(guard, write, options));
}

async function writeOne(guard: FolderGuard, write: FileWrite, options: WriteOptions): Promise<WriteResult> {
  const place = guard.resolve(write.path);
  const parent = await guard.createParent(write.path);
  if (parent === 'missing') return { outcome: 'changed' };
  if (parent === 'refused') return { outcome: 'refused' };
  const next = temporaryPlace(place, 'next');
  const replaced = temporaryPlace(place, 'replaced');
  try {
    const stamp = await writeNext(next, write.text, options);
    const found = await compareFile(guard, write.path, write.expected);
    if (found === 'refused') return { outcome: 'refused' };
    if (found === 'no') return { outcome: 'changed' };
    const former = typeof write.expected === 'object' && 'ino' in write.expected ? write.expected : undefined;
    const end = options.own?.begin(guard.folder, write.path, stamp, former);
    let isPut = false;
    try {
      isPut = await put(guard, write, { place, next, replaced });
    } finally {
      end?.(isPut);
    }
    return isPut ? { outcome: 'written', stamp } : { outcome: 'changed' };
  } finally {
    await removeIfThere(next);
  }
}

async function writeNext(next: string, text: string, { isSynced = false }: WriteOptions): Promise<FileStamp> {
  const file = await open(next, FLAGS, FILE_MODE).catch(async (error: unknown) => {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    await removeIfThere(next);
    return open(next, FLAGS, FILE_MODE);
  });
  try {
    await file.writeFile(text);
    if (isSynced) await file.sync();
    return toStamp(await file.stat());
  } finally {
    await file.close();
  }
}

interface Places {
  readonly place: string;
  readonly next: string;
  readonly replaced: string;
}

/** Whether `next` is at `place` now. */
async function put(guard: FolderGuard, { path: relativePath, expected }: FileWrite, places: Places): Promise<boolean> {
  const { place, next, replaced } = places;
  if (expected === 'nothing') {
    // Unlike a rename, a link fails when an editor has put a file there meanwhile.
    const linked = await tryLink(next, place);
    if (linked !== 'unsupported') return linked === 'linked';
  } else if (expected !== undefined) {
    // Keeps the file that is replaced, so that an editor that was writing into it loses nothing.
    let linked = await tryLink(place, replaced);
    if (linked === 'taken') {
      await removeIfThere(replaced);
      linked = await tryLink(place, replaced);
    }
    if (linked === 'linked') {
      await rename(next, place);
      const kept = path.posix.join(path.posix.dirname(relativePath), path.basename(replaced));
      const isAsExpected = (await compareFile(guard, kept, expected)) === 'yes';
      await (isAsExpected ? removeIfThere(replaced) : rename(replaced, place));
      return isAsExpected;
    }
    if ((await compareFile(guard, relativePath, expected)) !== 'yes') return false;
  }
  await rename(next, place);
  return true;
}

/** `unsupported`: the file system has no links. `taken`: something is at `to`. `missing`: `from` is not there, or the folder of `to`. */
export async function tryLink(from: string, to: string): Promise<'linked' | 'taken' | 'missing' | 'unsupported'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    const code = readErrorCode(error) ?? '';
    if (NO_LINK_CODES.includes(code)) return 'unsupported';
    if (code === 'EEXIST') return 'taken';
    if (code === 'ENOENT') return 'missing';
    throw error;
  }
}

async function removeIfThere(place: string): Promise<void> {
  await unlink(place).catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error;
  });
}
