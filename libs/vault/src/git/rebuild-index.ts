import { rename, rm } from 'node:fs/promises';
import type { HistoryFilter } from './filter-history.js';
import type { Git } from './git.js';
import { gitPath, isThere } from './git-folder.js';

const NEXT_INDEX = 'annals-index';

/**
 * Writes the person's index again without what `filter` drops; what is staged besides stays staged. Rebuilt instead of
 * edited, since an index also holds names of other files and ids of former versions. The caller holds its lock.
 */
export async function rebuildIndex(git: Git, filter: HistoryFilter): Promise<void> {
  if (!(await isThere(gitPath(git.folder, 'index')))) return;
  const entries = splitEntries(await git.run(['ls-files', '--stage', '-z']));
  const kept = entries.filter((entry) => isKept(entry, filter));
  const indexFile = gitPath(git.folder, NEXT_INDEX);
  await Promise.all([rm(indexFile, { force: true }), rm(`${indexFile}.lock`, { force: true })]);
  await git.run(['read-tree', '--empty'], { indexFile });
  const input = kept.length === 0 ? [] : [Buffer.from(kept.map((entry) => `${entry}\0`).join(''), 'latin1')];
  await git.run(['update-index', '-z', '--index-info'], { indexFile, input });
  await rename(indexFile, gitPath(git.folder, 'index'));
}

// Bytes as latin1, which loses none of a name that is no UTF-8.
function splitEntries(output: Buffer): string[] {
  return output.toString('latin1').split('\0').filter(Boolean);
}

/** Of a line `<mode> <id> <stage>\t<path>`. */
function isKept(entry: string, { keep, keepsBlob }: HistoryFilter): boolean {
  const tab = entry.indexOf('\t');
  const path = Buffer.from(entry.slice(tab + 1), 'latin1').toString('utf8');
  return keep(path) && (keepsBlob?.(path, entry.slice(0, tab).split(' ')[1]!, '') ?? true);
}
