import { isConflictPath, itemIdOfPath } from '@annals/domain';
import { listFiles, removeLeftovers } from '../files/list-files.js';
import { readDiskFile } from './disk-file.js';
import { isNamedAfterItem, keptBy } from './kept-by.js';
import type { VaultIndex } from './vault-index.js';
import type { VaultWriter } from './vault-writer.js';

/**
 * The index was lost: what lies in the folder and is no item's is Annals' own if the last commit (`committed`) has it, or if it is
 * named after an item that is gone. Everything else is somebody's, and stays.
 */
export async function removeStrays({
  folder,
  index,
  writer,
  committed,
}: {
  readonly folder: string;
  readonly index: VaultIndex;
  readonly writer: VaultWriter;
  readonly committed: ReadonlyMap<string, string>;
}): Promise<void> {
  await removeLeftovers(folder);
  const files = await listFiles(folder);
  const { isKept } = keptBy(index, { hasLostWords: false, files: null, author: '' });
  const isStray = (path: string) => isNamedAfterItem(path) && index.findAt(path) === undefined;
  // What a killed run had removed and not committed.
  const strays = listMissing(committed.keys(), files).filter(isStray);
  for (const { path } of files) {
    if (!isStray(path)) continue;
    const item = index.find(itemIdOfPath(path) ?? '');
    if (isConflictPath(path)) {
      if (!isKept(path)) strays.push(path);
    } else if (item === undefined || (await isCommitted(folder, path, committed))) strays.push(path);
    // Somebody changed it in the place that it had before.
    else await writer.moveAside(path, item.path);
  }
  await writer.removePaths(strays);
}

/** Paths that the last commit has and the folder does not. */
function listMissing(committed: Iterable<string>, files: readonly { readonly path: string }[]): string[] {
  const there = new Set(files.map(({ path }) => path));
  return [...committed].filter((path) => !there.has(path));
}

async function isCommitted(folder: string, path: string, committed: ReadonlyMap<string, string>): Promise<boolean> {
  const found = await readDiskFile(folder, path);
  return found.state === 'file' && found.blob === committed.get(path);
}
