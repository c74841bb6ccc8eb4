import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../unavailable.js';
import { mapFiles } from './batches.js';
import { compareFile, type ExpectedFile } from './expected-file.js';
import { FolderGuard } from './folder-guard.js';
import type { OwnChanges } from './own-changes.js';

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

/** As `removeFile`, for many; outcomes in the order of `removals`. `own` notes what is removed. */
export function removeFiles(
  folder: string,
  removals: readonly FileRemoval[],
  own?: OwnChanges,
): Promise<RemoveOutcome[]> {
  const guard = new FolderGuard(folder);
  return mapFiles(folder, removals, (removal) => removeOne(guard, removal, own));
}

async function removeOne(
  guard: FolderGuard,
  { path: relativePath, expected }: FileRemoval,
  own: OwnChanges | undefined,
): Promise<RemoveOutcome> {
  const place = guard.resolve(relativePath);
  const parent = await guard.checkParent(relativePath);
  if (parent !== 'folder') return parent;
  const isThere = (await compareFile(guard, relativePath, 'nothing')) === 'no';
  const found = await compareFile(guard, relativePath, expected);
  if (found === 'refused') return 'refused';
  if (!isThere) return 'missing';
  if (found === 'no') return 'changed';
  const end = own?.begin(guard.folder, relativePath, null);
  let isGone = false;
  try {
    await unlink(place);
    isGone = true;
    return 'removed';
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return 'missing';
    throw error;
  } finally {
    end?.(isGone);
  }
}

/**
 * Removes the folders of these files that are empty now, from the lowest to the folder itself, which stays. Returns how
 * many were removed.
 * @throws {VaultUnavailableError | VaultPathError}
 */
export async function pruneEmptyFolders(
  folder: string,
  relativePaths: Iterable<string>,
  own?: OwnChanges,
): Promise<number> {
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
    const outcomes = await mapFiles(folder, [...byDepth.get(depth)!], (empty) => removeEmpty(guard, empty, own));
    removed += outcomes.filter(Boolean).length;
  }
  return removed;
}

const NOT_EMPTY_CODES = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'];

async function removeEmpty(guard: FolderGuard, relativePath: string, own: OwnChanges | undefined): Promise<boolean> {
  if ((await guard.checkParent(path.posix.join(relativePath, 'child'))) !== 'folder') return false;
  const end = own?.begin(guard.folder, relativePath, null);
  let isGone = false;
  try {
    await rmdir(guard.resolve(relativePath));
    isGone = true;
    return true;
  } catch (error) {
    if (NOT_EMPTY_CODES.includes(readErrorCode(error) ?? '')) return false;
    throw error;
  } finally {
    end?.(isGone);
  }
}
