import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../unavailable.js';
import { mapFiles } from './batches.js';
import { compareFile, type ExpectedFile } from './expected-file.js';
import { FolderGuard } from './folder-guard.js';

export interface FileRemoval {
  /** In the folder, parts separated by `/`. */
  readonly path: string;
  /** Default: whatever regular file is there is removed. */
  readonly expected?: Exclude<ExpectedFile, 'nothing'>;
}

/** `changed`: another file than expected is there, and stays. `refused`: a link or no regular file is there. */
export type RemoveOutcome = 'removed' | 'missing' | 'changed' | 'refused';

/**
 * Removes a file of the vault.
 * @throws {VaultUnavailableError | VaultPathError}
 */
export async function removeFile(
  folder: string,
  relativePath: string,
  expected?: FileRemoval['expected'],
): Promise<RemoveOutcome> {
  const [outcome] = await removeFiles(folder, [{ path: relativePath, expected }]);
  return outcome!;
}

/** As `removeFile`, for many; outcomes in the order of `removals`. */
export function removeFiles(folder: string, removals: readonly FileRemoval[]): Promise<RemoveOutcome[]> {
  const guard = new FolderGuard(folder);
  return mapFiles(folder, removals, (removal) => removeOne(guard, removal));
}

async function removeOne(guard: FolderGuard, { path: relativePath, expected }: FileRemoval): Promise<RemoveOutcome> {
  const place = guard.resolve(relativePath);
  const parent = await guard.checkParent(relativePath);
  if (parent !== 'folder') return parent;
  const isThere = (await compareFile(guard, relativePath, 'nothing')) === 'no';
  const found = await compareFile(guard, relativePath, expected);
  if (found === 'refused') return 'refused';
  if (!isThere) return 'missing';
  if (found === 'no') return 'changed';
  try {
    await unlink(place);
    return 'removed';
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
}

/**
 * Removes the folders of these files that are empty now, from the lowest to the folder itself, which stays. Returns how
 * many were removed.
 * @throws {VaultUnavailableError | VaultPathError}
 */
export async function pruneEmptyFolders(folder: string, relativePaths: Iterable<string>): Promise<number> {
  const byDepth = new Map<number, Set<string>>();
  for (const relativePath of relativePaths) {
    const parts = relativePath.split('/').slice(0, -1);
    for (let depth = parts.length; depth > 0; depth -= 1) {
      const atDepth = byDepth.get(depth) ?? new Set<string>();
      byDepth.set(depth, atDepth.add(parts.slice(0, depth).join('/')));
    }
  }
  const guard = new FolderGuard(folder);
  let removed = 0;
  for (const depth of [...byDepth.keys()].toSorted((a, b) => b - a)) {
    const outcomes = await mapFiles(folder, [...byDepth.get(depth)!], (empty) => removeEmpty(guard, empty));
    removed += outcomes.filter(Boolean).length;
  }
  return removed;
}

const NOT_EMPTY_CODES = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'];

async function removeEmpty(guard: FolderGuard, relativePath: string): Promise<boolean> {
  if ((await guard.checkParent(path.posix.join(relativePath, 'child'))) !== 'folder') return false;
  try {
    await rmdir(guard.resolve(relativePath));
    return true;
  } catch (error) {
    if (NOT_EMPTY_CODES.includes(readErrorCode(error) ?? '')) return false;
    throw error;
  }
}
