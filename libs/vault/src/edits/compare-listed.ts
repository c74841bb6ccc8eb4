import { ENTRIES_FOLDER, isConflictPath } from '@annals/domain';
import { type FileStamp, isSameStamp } from '../files/file-stamp.js';
import type { VaultFile } from '../files/list-files.js';
import type { IndexedItem, VaultIndex } from '../projection/vault-index.js';

/** Where files of memories are, live ones and others. */
export function isPlaceOfMemory(path: string): boolean {
  return /^entries\/[^/]+\/(?:deleted\/)?facts\/[^/]+\.md$/.test(path);
}

/** A file as it was listed. */
export type Listed = Pick<VaultFile, 'path'> & { readonly stamp: FileStamp };
/** Files that are not as the last run left them, and items whose file is gone. */
export interface Compared {
  readonly changed: readonly Listed[];
  readonly missing: readonly { readonly id: string; readonly item: IndexedItem }[];
}

/**
 * Compares files with what was written, by their stamps. Files of others count where memories belong, unless they were looked at; anywhere
 * else only when something is missing, which may have been moved there.
 */
export function compareListed(files: readonly VaultFile[], index: VaultIndex): Compared {
  const there = new Set<string>();
  const unknown: Listed[] = [];
  const changed: Listed[] = [];
  for (const { path, size, mtimeMs, ino } of files) {
    there.add(path);
    if (!path.endsWith('.md') || isConflictPath(path)) continue;
    const stamp = { size, mtimeMs, ino };
    const item = index.findAt(path)?.item;
    const known = item ? item.stamp : index.edits.others[path]?.stamp;
    if (known && isSameStamp(known, stamp)) continue;
    // In the place of an item that could not be written there, something may be again that can be replaced.
    if (item || isPlaceOfMemory(path)) changed.push({ path, stamp });
    else unknown.push({ path, stamp });
  }
  const missing = index.entries().flatMap(([id, item]) => {
    const isMissing = item.stamp !== null && !there.has(item.path) && index.findAt(item.path)?.id === id;
    return isMissing && !index.isOwnRemoval(item.path) ? [{ id, item }] : [];
  });
  // What is missing may be anywhere below.
  const isSearched = ({ path }: Listed) => missing.length > 0 && path.startsWith(`${ENTRIES_FOLDER}/`);
  return { changed: [...changed, ...unknown.filter(isSearched)], missing };
}
