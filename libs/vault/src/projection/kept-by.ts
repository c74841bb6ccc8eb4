import { ENTRIES_FOLDER, isConflictPath, itemIdOfPath, slugOf } from '@annals/domain';
import type { IndexedItem, VaultIndex } from './vault-index.js';

/** What may stay in files and in the history, by the items that there are. Files that are not named after items are somebody's own. */
export interface KeptVersions {
  readonly isKept: (path: string) => boolean;
  /** Of a path that is kept, in a commit of `author`. */
  readonly isKeptBlob: (path: string, blob: string, author: string) => boolean;
}

/**
 * The words of a memory never change, so every version of one that exists is kept, if Annals (`author`) committed it: what somebody else
 * wrote into its file, at whatever place it had, has become another memory. Of messages and summaries the present version is kept: former ones may have
 * what was forgotten. So may what somebody made of them: of a message that lost words, of the summaries of a conversation with
 * messages that are hidden or lost words, and of all summaries when words were forgotten (`hasLostWords`), which can be those
 * of a summary alone. Somebody's own files below `entries/` are kept while they are in the folder: those that are not there any more
 * may have been files of memories under another name. `files`: what is in the folder; null: all that is asked about.
 */
export function keptBy(
  index: VaultIndex,
  {
    hasLostWords,
    files,
    author: own,
  }: { readonly hasLostWords: boolean; readonly files: ReadonlySet<string> | null; readonly author: string },
): KeptVersions {
  const folders = new Set(index.entries().map(([, { path }]) => folderOf(path)));
  const reduced = new Set(
    Object.values(index.conversations).flatMap(({ threadId, isReduced }) => (isReduced ? [slugOf(threadId)] : [])),
  );
  const keepsBesideSummary = (path: string) => isConflictPath(path) && !hasLostWords && !reduced.has(folderOf(path));
  return {
    isKept: (path) => {
      if (index.findAt(path)) return true;
      if (!isNamedAfterItem(path)) return !isEntry(path) || files === null || files.has(path);
      // What was in a conversation that is gone is named after it.
      if (!folders.has(folderOf(path))) return false;
      const id = itemIdOfPath(path);
      if (id === null) return keepsBesideSummary(path);
      const item = index.find(id);
      if (item?.kind === 'turn') return isConflictPath(path) && item.hasLostWords !== true;
      return item?.kind === 'memory' || (item?.kind === 'summary' && keepsBesideSummary(path));
    },
    isKeptBlob: (path, blob, author) => {
      const item = index.findAt(path)?.item ?? findFormer(index, path);
      return item === undefined || (item.kind === 'memory' && author === own) || item.blob === blob;
    },
  };
}

/** The item whose file was at a path before it moved. */
function findFormer(index: VaultIndex, path: string): IndexedItem | undefined {
  if (!isEntry(path) || isConflictPath(path)) return undefined;
  return index.find(itemIdOfPath(path) ?? '');
}

function isEntry(path: string): boolean {
  return path.startsWith(`${ENTRIES_FOLDER}/`);
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
  return isEntry(path) && (itemIdOfPath(path) !== null || isSummaryPath(path));
}
