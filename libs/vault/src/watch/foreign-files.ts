import { ENTRIES_FOLDER } from '@annals/domain';
import { isSameStamp } from '../files/file-stamp.js';
import type { VaultFile } from '../files/list-files.js';
import type { VaultIndex } from '../projection/vault-index.js';

/**
 * Paths of a user's files that are not as the last run left them: new, missing, or another file. Files outside of `entries/` are
 * somebody's own. `index`: null when there is none.
 */
export function listForeignFiles(files: readonly VaultFile[], index: VaultIndex | null): string[] {
  const entries = files.filter(({ path }) => path.startsWith(`${ENTRIES_FOLDER}/`));
  const there = new Set(entries.map(({ path }) => path));
  const changed = entries.filter((file) => {
    const known = index?.findAt(file.path)?.item.stamp;
    return !known || !isSameStamp(known, file);
  });
  // Without a stamp, something that is no file was in its place.
  const missing = (index?.entries() ?? []).filter(([, { path, stamp }]) => stamp !== null && !there.has(path));
  return [...changed.map(({ path }) => path), ...missing.map(([, { path }]) => path)];
}
