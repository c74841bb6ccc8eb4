import { lstat, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode, VaultUnavailableError } from '../unavailable.js';

/** A path that no caller may ask for: absolute, with `..`, or within `.git`. A defect of the caller. */
export class VaultPathError extends Error {
  override readonly name = 'VaultPathError';
}

/** What stands where a folder is wanted. `refused`: a symbolic link or a file. */
export type FolderState = 'folder' | 'missing' | 'refused';

/** Of new folders, before the umask: nothing for other users of the machine. */
const FOLDER_MODE = 0o770;

/**
 * Keeps one batch of reads or writes inside of a folder: every folder on the way to a file must be a real one. What it
 * has seen it does not check again, so make one for each batch. Between its check and the use of a path a person could
 * still put a link there; the last part of a path is opened without following links by everything that uses this.
 */
export class FolderGuard {
  private readonly seen = new Map<string, Promise<FolderState>>();

  /** `folder` is absolute, and the caller's own: links on the way to it are followed. */
  constructor(readonly folder: string) {}

  /**
   * The absolute path of `relativePath`, parts separated by `/`.
   * @throws {VaultPathError}
   */
  resolve(relativePath: string): string {
    return path.join(this.folder, ...splitPath(relativePath));
  }

  /** What stands at the folder that contains `relativePath`. Throws what the file system throws, except ENOENT. */
  checkParent(relativePath: string): Promise<FolderState> {
    return this.check(splitPath(relativePath).slice(0, -1));
  }

  /** Creates the folder that contains `relativePath`, and those above it. */
  createParent(relativePath: string): Promise<FolderState> {
    return this.create(splitPath(relativePath).slice(0, -1));
  }

  private check(parts: readonly string[]): Promise<FolderState> {
    return this.remember(parts, async (place) => {
      if (parts.length === 0) return readRootState(place);
      const parent = await this.check(parts.slice(0, -1));
      return parent === 'folder' ? readFolderState(place) : parent;
    });
  }

  private async create(parts: readonly string[]): Promise<FolderState> {
    if (parts.length === 0) return this.check(parts);
    const state = await this.check(parts);
    if (state !== 'missing') return state;
    const parent = await this.create(parts.slice(0, -1));
    if (parent !== 'folder') return parent;
    this.seen.delete(parts.join('/'));
    await mkdir(path.join(this.folder, ...parts), { mode: FOLDER_MODE }).catch((error: unknown) => {
      if (readErrorCode(error) !== 'EEXIST') throw error;
    });
    return this.check(parts);
  }

  private remember(parts: readonly string[], find: (place: string) => Promise<FolderState>): Promise<FolderState> {
    const key = parts.join('/');
    const known = this.seen.get(key);
    if (known) return known;
    const found = find(path.join(this.folder, ...parts));
    this.seen.set(key, found);
    return found;
  }
}

async function readFolderState(place: string): Promise<FolderState> {
  try {
    return (await lstat(place)).isDirectory() ? 'folder' : 'refused';
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT') return 'missing';
    if (code === 'ENOTDIR') return 'refused';
    throw error;
  }
}

/** Without its folder, every file of a vault would look deleted: its disk is absent. */
async function readRootState(folder: string): Promise<FolderState> {
  const found = await stat(folder).catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error;
  });
  if (!found?.isDirectory()) throw new VaultUnavailableError('ENOENT', folder);
  return 'folder';
}

function splitPath(relativePath: string): string[] {
  const parts = relativePath.split('/');
  const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  if (!isInside || parts[0]!.toLowerCase() === '.git')
    throw new VaultPathError('A path in the vault must be relative and must stay in its folder, outside of .git.');
  return parts;
}
