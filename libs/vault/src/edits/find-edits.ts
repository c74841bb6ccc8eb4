import { gitBlobId, itemIdOfPath, readFileId } from '@annals/domain';
import { join } from 'node:path';
import { mapFiles } from '../files/batches.js';
import { type FileStamp, isSameStamp, readStamp } from '../files/file-stamp.js';
import { FolderGuard } from '../files/folder-guard.js';
import { listFiles } from '../files/list-files.js';
import { type ReadProblem, readVaultFiles } from '../files/read-file.js';
import { readDiskFile } from '../projection/disk-file.js';
import type { IndexedItem, VaultIndex } from '../projection/vault-index.js';
import { type Compared, compareListed, isPlaceOfMemory, type Listed } from './compare-listed.js';

/** A file that differs from what Annals wrote, or that it did not write. */
export interface ForeignFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** The id that Git gives its content; empty for one that is too large. */
  readonly blob: string;
  /** Why it cannot be read as text; null: it can. */
  readonly problem: ReadProblem | null;
  readonly text: string;
}
type ItemFile = ForeignFile & { readonly id: string; readonly item: IndexedItem };

/** What somebody did to the files of a user since the last run. */
export interface FoundEdits {
  /** Other contents at the paths of items. */
  readonly edited: readonly ItemFile[];
  /** Files of items at another path than theirs, where nothing is any more. */
  readonly moved: readonly ItemFile[];
  /** Items whose file is gone. */
  readonly missing: readonly { readonly id: string; readonly item: IndexedItem }[];
  /** Files where memories belong that are no item's, with the id in their name or front matter. */
  readonly added: readonly (ForeignFile & { readonly id: string | null })[];
  /** Other files, among which what is missing was looked for. */
  readonly unrelated: readonly ForeignFile[];
  /** Something is being changed at this moment, or there is more: look again. */
  readonly isChanging: boolean;
  /** All files that there are. */
  readonly paths: ReadonlySet<string>;
}

export interface EditSearch {
  readonly folder: string;
  readonly index: VaultIndex;
  /** What Annals committed last, by path, when the index does not know what is in the folder; else empty. */
  readonly committed: ReadonlyMap<string, string>;
  /** Waits until who is writing has probably finished. */
  readonly settle: () => Promise<void>;
}

/** Files whose texts a run has in memory at once. */
const MAX_FILES = 1_000;
const NONE = { edited: [], moved: [], missing: [], added: [], unrelated: [], isChanging: false } as const;

/**
 * What somebody changed, added, moved or removed (docs/reference/vault.md#what-people-write). It is taken when it was the same before and behind
 * `settle`: editors and `git` replace files by removing them first.
 * @throws VaultUnavailableError
 */
export async function findEdits(search: EditSearch): Promise<FoundEdits> {
  const { folder, index, settle } = search;
  const first = await listAndCompare(folder, index);
  if (first.changed.length + first.missing.length === 0) return { ...NONE, paths: first.paths };
  await settle();
  const second = await listAndCompare(folder, index);
  const { changed, missing, isChanging } = keepSettled(first, second);
  const some = changed.slice(0, MAX_FILES);
  const isCut = some.length < changed.length;
  const foreign = await readForeign(search, some);
  const edited = foreign.flatMap((file) => {
    const at = index.findAt(file.path);
    return at ? [{ ...file, ...at }] : [];
  });
  // What is missing can be among the files that are not read yet, or that are being written.
  const gone = new Map(isCut || isChanging ? [] : missing.map((entry) => [entry.id, entry]));
  const moved: ItemFile[] = [];
  const added: (ForeignFile & { id: string | null })[] = [];
  const unrelated: ForeignFile[] = [];
  for (const file of foreign) {
    if (index.findAt(file.path)) continue;
    const id = readFileId(file.text) ?? itemIdOfPath(file.path);
    const from = id === null ? undefined : gone.get(id);
    if (from) {
      gone.delete(from.id);
      moved.push({ ...file, ...from });
    } else if (isPlaceOfMemory(file.path)) added.push({ ...file, id });
    // As long as it is not known what is missing, it may be this.
    else if (isCut || !isChanging) unrelated.push(file);
  }
  return {
    edited,
    moved,
    missing: [...gone.values()],
    added,
    unrelated,
    isChanging: isChanging || isCut,
    paths: second.paths,
  };
}

async function listAndCompare(
  folder: string,
  index: VaultIndex,
): Promise<Compared & { readonly paths: ReadonlySet<string> }> {
  const files = await listFiles(folder);
  const compared = compareListed(files, index);
  const missing = await withoutRefused(folder, compared.missing);
  return { changed: compared.changed, missing, paths: new Set(files.map(({ path }) => path)) };
}

/** Without those in whose place, or on the way to it, is a link or something else: their files are not gone. */
async function withoutRefused(folder: string, missing: Compared['missing']): Promise<Compared['missing']> {
  const guard = new FolderGuard(folder);
  const isGone = await mapFiles(folder, missing, async ({ item }) => {
    const parent = await guard.checkParent(item.path);
    if (parent === 'missing') return true;
    if (parent === 'folder' && (await readStamp(join(folder, item.path))) !== 'refused') return true;
    // As when it could not be written: it is not looked at until there is a file again.
    item.stamp = null;
    return false;
  });
  return missing.filter((_, at) => isGone[at]);
}

/** What was found twice. */
function keepSettled(first: Compared, second: Compared): Compared & { readonly isChanging: boolean } {
  const before = new Map(first.changed.map(({ path, stamp }) => [path, stamp]));
  const changed = second.changed.filter(({ path, stamp }) => {
    const former = before.get(path);
    return former !== undefined && isSameStamp(former, stamp);
  });
  const missed = new Set(first.missing.map(({ id }) => id));
  const missing = second.missing.filter(({ id }) => missed.has(id));
  const counts = [first.changed, second.changed, first.missing, second.missing].map(({ length }) => length);
  const isChanging = counts.some((count, at) => count !== (at < 2 ? changed : missing).length);
  return { changed, missing, isChanging };
}

async function readForeign({ folder, index, committed }: EditSearch, listed: readonly Listed[]) {
  const foreign: ForeignFile[] = [];
  const read = await readVaultFiles(
    folder,
    listed.map(({ path }) => path),
  );
  for (const [at, { path, stamp }] of listed.entries()) {
    const found = read[at]!;
    if (UNSEEN.has(found.outcome)) continue;
    const isText = found.outcome === 'read';
    const blob = isText ? gitBlobId(found.text) : await blobOf(folder, path);
    const known = index.findAt(path);
    if (known?.item.blob === blob) {
      // Only touched, as by a checkout.
      known.item.stamp = stamp;
    } else if (!isOwn({ index, committed }, path, blob)) {
      const problem = found.outcome === 'read' ? null : found.outcome;
      foreign.push({ path, stamp, blob, problem, text: isText ? found.text : '' });
    }
  }
  return foreign;
}

/** Gone or changed meanwhile, or kept from the process: left as it is. */
const UNSEEN: ReadonlySet<string> = new Set(['missing', 'changing', 'refused', 'forbidden']);

/** What a killed run wrote, or one whose index was lost. A file without the name of an item never is. */
function isOwn({ index, committed }: Pick<EditSearch, 'index' | 'committed'>, path: string, blob: string): boolean {
  return index.isOwn(path, blob) || (itemIdOfPath(path) !== null && committed.get(path) === blob);
}

async function blobOf(folder: string, path: string): Promise<string> {
  const found = await readDiskFile(folder, path);
  return found.state === 'file' ? found.blob : '';
}
