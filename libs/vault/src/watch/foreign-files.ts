import { ENTRIES_FOLDER } from '@annals/domain';
import { type FileStamp, isSameStamp } from '../files/file-stamp.js';
import type { VaultFile } from '../files/list-files.js';
import type { VaultIndex } from '../projection/vault-index.js';

/**
 * Whether the files of a user are not as the last run left them: one is new, missing or another one. Files outside of
 * `entries/` are somebody's own. `index`: null when there is none. `isOwn`: what this process wrote since.
 */
export function hasForeignFiles(
  files: readonly VaultFile[],
  index: VaultIndex | null,
  isOwn: (path: string, found: FileStamp | null) => boolean = () => false,
): boolean {
  const there = new Set<string>();
  for (const file of files) {
    if (!file.path.startsWith(`${ENTRIES_FOLDER}/`)) continue;
    there.add(file.path);
    const known = index?.findAt(file.path)?.item.stamp;
    if (!(known && isSameStamp(known, file)) && !isOwn(file.path, file)) return true;
  }
  // Without a stamp, something that is no file was in its place.
  return (index?.entries() ?? []).some(
    ([, { path, stamp }]) => stamp !== null && !there.has(path) && !isOwn(path, null),
  );
}
