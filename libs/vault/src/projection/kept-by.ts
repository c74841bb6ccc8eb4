import { ENTRIES_FOLDER, isConflictPath, itemIdOfPath } from '@annals/domain';
import type { VaultIndex } from './vault-index.js';

/** What may stay in files and in the history, by the items that there are: everything else of the layout is forgotten. */
export interface KeptVersions {
  readonly isKept: (path: string) => boolean;
  /** Of a path that is kept: the words of a memory never change, former versions of all else may contain forgotten ones. */
  readonly isKeptBlob: (path: string, blob: string) => boolean;
}

export function keptBy(index: VaultIndex): KeptVersions {
  const folders = new Set(index.entries().map(([, { path }]) => path.split('/')[1]));
  return {
    isKept: (path) => {
      const [entries, thread] = path.split('/');
      // Not of the layout: somebody's own.
      if (entries !== ENTRIES_FOLDER) return true;
      if (!folders.has(thread)) return false;
      if (index.findAt(path)) return true;
      const id = itemIdOfPath(path);
      if (id === null) return !isSummaryPath(path);
      // What was kept beside a message or a summary may contain its former words.
      const kind = index.find(id)?.kind;
      return kind === 'memory' || (kind !== undefined && !isConflictPath(path));
    },
    isKeptBlob: (path, blob) => {
      const item = index.findAt(path)?.item ?? index.find(itemIdOfPath(path) ?? '');
      return item === undefined || item.kind === 'memory' || item.blob === blob;
    },
  };
}

/** A live summary, or what was kept beside one: their names have no id. */
function isSummaryPath(path: string): boolean {
  return /\/summaries\/L[123]\/(?:chunk_\d+|group_\d+|final)\b[^/]*\.md$/.test(path);
}
