import type { IndexedItem, VaultIndex } from '../projection/vault-index.js';
import type { ForeignFile, FoundEdits } from './find-edits.js';

/** Deletions of an hour from which on they are more likely an accident, if they are also more than half of all memories. */
const MANY_DELETIONS = 20;

/** A file, or the place of one that is gone, which may ask for a change of a memory. */
export interface Candidate {
  readonly kind: 'edit' | 'add' | 'delete' | 'restore';
  /** Null: it is gone. */
  readonly file: ForeignFile | null;
  /** Of the memory that it is about, as its place or its front matter says; null: of none. */
  readonly id: string | null;
  /** What Annals wrote of that memory; undefined: nothing, or it is still there as well. */
  readonly item: IndexedItem | undefined;
}

export interface ClassifiedEdits {
  readonly candidates: readonly Candidate[];
  /** What only the database changes, and is to be written again: with the file at another place, if there is one. */
  readonly returned: readonly { readonly id: string; readonly file: ForeignFile | null; readonly item: IndexedItem }[];
  /** Files that ask for nothing. */
  readonly left: readonly ForeignFile[];
  /** Deletions that were too many at once to be meant; they are among `returned`. */
  readonly withheld: number;
}

/**
 * Sorts what somebody did to files by what it asks for (docs/reference/vault.md#what-people-write). `isDeletion`: whether a file that is missing
 * was deleted; otherwise it is written again.
 */
export function classifyEdits(
  found: FoundEdits,
  index: VaultIndex,
  { isDeletion }: { readonly isDeletion: boolean },
): ClassifiedEdits {
  const candidates: Candidate[] = [];
  const returned: { id: string; file: ForeignFile | null; item: IndexedItem }[] = [];
  for (const file of found.edited) {
    const { id, item } = file;
    if (item.kind === 'memory') candidates.push({ kind: 'edit', file, id, item });
    else returned.push({ id, file: null, item });
  }
  for (const file of found.moved) {
    const { id, item } = file;
    const [from, to] = [isInDeleted(item.path), isInDeleted(file.path)];
    if (item.kind !== 'memory') returned.push({ id, file, item });
    else candidates.push({ kind: from === to ? 'edit' : to ? 'delete' : 'restore', file, id, item });
  }
  for (const { id, item } of found.missing) {
    if (isDeletion && isLiveMemory(item)) candidates.push({ kind: 'delete', file: null, id, item });
    else returned.push({ id, file: null, item });
  }
  const left = found.added.filter(({ path }) => isInDeleted(path));
  for (const file of found.added)
    if (!isInDeleted(file.path)) candidates.push({ kind: 'add', file, id: file.id, item: undefined });
  const deletions = candidates.filter(({ kind }) => kind === 'delete');
  if (!areTooMany(deletions.length, found, index)) return { candidates, returned, left, withheld: 0 };
  return {
    candidates: candidates.filter(({ kind }) => kind !== 'delete'),
    returned: [...returned, ...deletions.map(({ id, file, item }) => ({ id: id!, file, item: item! }))],
    left,
    withheld: deletions.length,
  };
}

/** A volume that is half there, or an `rm` in the wrong place, must not delete what is remembered. */
function areTooMany(deletions: number, { missing }: FoundEdits, index: VaultIndex): boolean {
  const items = index.entries().filter(([, { stamp }]) => stamp !== null);
  if (missing.length > 1 && missing.length === items.length) return true;
  const live = items.filter(([, item]) => isLiveMemory(item)).length;
  const recent = Object.keys(index.edits.deletions).length;
  return deletions + recent > Math.max(MANY_DELETIONS, (live + recent) / 2);
}

function isLiveMemory({ kind, path }: IndexedItem): boolean {
  return kind === 'memory' && !isInDeleted(path);
}

function isInDeleted(path: string): boolean {
  return path.split('/')[2] === 'deleted';
}
