import { compareListed, isPlaceOfMemory } from '../edits/compare-listed.js';
import type { VaultFile } from '../files/list-files.js';
import type { VaultIndex } from '../projection/vault-index.js';

/**
 * Paths of a user's files that are not as the last run left them: new, missing, or another file. `index`: null when there is none.
 */
export function listForeignFiles(files: readonly VaultFile[], index: VaultIndex | null): string[] {
  if (index === null) return files.flatMap(({ path }) => (isPlaceOfMemory(path) ? [path] : []));
  const { changed, missing } = compareListed(files, index);
  return [...changed.map(({ path }) => path), ...missing.map(({ item }) => item.path)];
}
