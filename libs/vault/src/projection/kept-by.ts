import { ENTRIES_FOLDER, isConflictPath, itemIdOfPath, slugOf } from '@annals/domain';
import type { IndexedItem, VaultIndex } from './vault-index.js';

/** What may stay in files and in the history, by the items that there are. Files that are not named after items are somebody's own. */
export interface KeptVersions {
  readonly isKept: (path: string) => boolean;
  /** Of a path that is kept. */
  readonly isKeptBlob: (path: string, blob: string) => boolean;
}

/**
 * The words of a memory never change, so every version of one that exists is kept. Former versions of a message that lost
 * words, and of summaries of a conversation with messages that are hidden, lost words or are gone, are not.
 */
export function keptBy(index: VaultIndex): KeptVersions {
  const folders = new Set(index.entries().map(([, { path }]) => folderOf(path)));
  const reduced = new Set(
    Object.values(index.conversations).flatMap(({ threadId, isReduced }) => (isReduced ? [slugOf(threadId)] : [])),
  );
  const isReducedAt = (path: string) => !folders.has(folderOf(path)) || reduced.has(folderOf(path));
  const itemOf = (path: string): IndexedItem | undefined =>
    index.findAt(path)?.item ?? index.find(itemIdOfPath(path) ?? '');
  return {
    isKept: (path) => {
      if (!isNamedAfterItem(path) || index.findAt(path)) return true;
      if (itemIdOfPath(path) === null) return !isReducedAt(path);
      const item = itemOf(path);
      // What was in a conversation that is gone is named after it.
      if (item === undefined || !folders.has(folderOf(path))) return false;
      if (item.kind === 'turn') return !(item.hasLostWords && isConflictPath(path));
      return item.kind === 'memory' || !isReducedAt(path);
    },
    isKeptBlob: (path, blob) => {
      const item = itemOf(path);
      if (item === undefined || item.kind === 'memory' || item.blob === blob) return true;
      return item.kind === 'turn' ? !item.hasLostWords : !isReducedAt(path);
    },
  };
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** A live summary, or what was kept beside one: their names have no id. */
function isSummaryPath(path: string): boolean {
  return /\/summaries\/L[123]\/(?:chunk_\d+|group_\d+|final)(?:\.conflict(?:-\d+)?)?\.md$/.test(path);
}

/** Whether a path is one of the layout: others are somebody's own. */
export function isNamedAfterItem(path: string): boolean {
  return path.startsWith(`${ENTRIES_FOLDER}/`) && (itemIdOfPath(path) !== null || isSummaryPath(path));
}
