import { gitBlobId, itemIdOfPath, parseVaultFile } from '@annals/domain';
import { join } from 'node:path';
import { mapFiles } from '../files/batches.js';
import { type FileStamp, isSameStamp, readStamp } from '../files/file-stamp.js';
import { listFiles } from '../files/list-files.js';
import { type ReadProblem, readVaultFiles } from '../files/read-file.js';
import { readDiskFile } from '../projection/disk-file.js';
import type { IndexedItem, VaultIndex } from '../projection/vault-index.js';
import { type Compared, compareListed, isPlaceOfMemory, type Listed } from './compare-listed.js';

/** A file that differs from what Annals wrote, or that it did not write. */
export interface ForeignFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** The id that Git gives its content. */
  readonly blob: string;
  /** Why it cannot be read as text; null: it can. */
  readonly problem: ReadProblem | null;
  readonly text: string;
}

/** What somebody did to the files of a user since the last run. */
export interface FoundEdits {
  /** Other contents at the paths of items. */
  readonly edited: readonly (ForeignFile & { readonly id: string; readonly item: IndexedItem })[];
  /** Files of items at another path than theirs, where nothing is any more. */
  readonly moved: readonly (ForeignFile & { readonly id: string; readonly item: IndexedItem })[];
  /** Items whose file is gone. */
  readonly missing: readonly { readonly id: string; readonly item: IndexedItem }[];
  /** Files where memories belong that are no item's, with the id in their name or front matter. */
  readonly added: readonly (ForeignFile & { readonly id: string | null })[];
  /** Something is being changed at this moment: look again. */
  readonly isChanging: boolean;
  /** All files that there are. */
  readonly paths: ReadonlySet<string>;
}

export interface EditSearch {
  readonly folder: string;
  readonly index: VaultIndex;
  /** What the last commit has, by path, when the index does not know what is in the folder; else empty. */
  readonly committed: ReadonlyMap<string, string>;
  /** Waits until who is writing has probably finished. */
  readonly settle: () => Promise<void>;
}

const READ_PAGE = 500;
const NONE = { edited: [], moved: [], missing: [], added: [], isChanging: false } as const;

/**
 * What somebody changed, added, moved or removed (docs/reference/vault.md#what-people-write). It is taken when it was the same before and behind
 * `settle`: editors and `git` replace files by removing them first.
 * @throws VaultUnavailableError
 */
export async function findEdits(search: EditSearch): Promise<FoundEdits> {
  const { folder, index, settle } = search;
  const files = await listFiles(folder);
  const paths = new Set(files.map(({ path }) => path));
  const first = compareListed(files, index);
  if (first.changed.length + first.missing.length === 0) return { ...NONE, paths };
  await settle();
  const { changed, missing, isChanging } = await confirm(folder, first);
  const foreign = await readForeign(search, changed);
  const edited = foreign.flatMap((file) => {
    const at = index.findAt(file.path);
    return at ? [{ ...file, ...at }] : [];
  });
  const gone = new Map(missing.map((entry) => [entry.id, entry]));
  const moved: (ForeignFile & { id: string; item: IndexedItem })[] = [];
  const added: (ForeignFile & { id: string | null })[] = [];
  for (const file of foreign) {
    if (index.findAt(file.path)) continue;
    const id = idOf(file);
    const from = id === null ? undefined : gone.get(id);
    if (from) {
      gone.delete(from.id);
      moved.push({ ...file, ...from });
    } else if (isPlaceOfMemory(file.path)) added.push({ ...file, id });
  }
  return { edited, moved, missing: [...gone.values()], added, isChanging, paths };
}

/** What is still as it was listed. */
async function confirm(folder: string, first: Compared): Promise<Compared & { readonly isChanging: boolean }> {
  const stamps = await mapFiles(folder, first.changed, ({ path }) => readStamp(join(folder, path)));
  const changed = first.changed.filter(({ stamp }, at) => {
    const now = stamps[at];
    return now !== null && now !== 'refused' && now !== undefined && isSameStamp(now, stamp);
  });
  const left = await mapFiles(folder, first.missing, ({ item }) => readStamp(join(folder, item.path)));
  const missing = first.missing.filter((_, at) => left[at] === null);
  const isChanging = changed.length < first.changed.length || missing.length < first.missing.length;
  return { changed, missing, isChanging };
}

async function readForeign({ folder, index, committed }: EditSearch, listed: readonly Listed[]) {
  const foreign: ForeignFile[] = [];
  for (let start = 0; start < listed.length; start += READ_PAGE) {
    const page = listed.slice(start, start + READ_PAGE);
    const read = await readVaultFiles(
      folder,
      page.map(({ path }) => path),
    );
    for (const [at, { path, stamp }] of page.entries()) {
      const found = read[at]!;
      if (found.outcome === 'missing' || found.outcome === 'changing' || found.outcome === 'refused') continue;
      const isText = found.outcome === 'read';
      const blob = isText ? gitBlobId(found.text) : await blobOf(folder, path);
      if (blob === null) continue;
      const known = index.findAt(path);
      if (known?.item.blob === blob) {
        // Only touched, as by a checkout.
        known.item.stamp = stamp;
      } else if (!isOwn({ index, committed }, path, blob)) {
        const problem = isText ? null : found.outcome;
        foreign.push({ path, stamp, blob, problem, text: isText ? found.text : '' });
      }
    }
  }
  return foreign;
}

/** What a killed run wrote, or one whose index was lost. A file without the name of an item never is. */
function isOwn({ index, committed }: Pick<EditSearch, 'index' | 'committed'>, path: string, blob: string): boolean {
  return index.isOwn(path, blob) || (itemIdOfPath(path) !== null && committed.get(path) === blob);
}

async function blobOf(folder: string, path: string): Promise<string | null> {
  const found = await readDiskFile(folder, path);
  return found.state === 'file' ? found.blob : null;
}

/** Of the item that a file was made of: of its front matter, or of its name. */
function idOf({ path, text }: ForeignFile): string | null {
  const id = parseVaultFile(text)?.fields['id'];
  return typeof id === 'string' ? id : itemIdOfPath(path);
}
